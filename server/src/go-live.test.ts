import { chmod } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createEmptyDatabase, useMadeDataDir, type TestDatabase } from "./database/testing/test-database.ts";
import { addressOf, startMain, stopMain, type MainProcess } from "./testing/main-process.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

/* Demo and live data never meet (docs/decisions/0065). */

const ADMIN = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "correct horse" };
const CERT = "98174651";
const STORED = "SELECT c.*, q.* FROM cached_certs AS c JOIN price_quotes AS q USING (cert_number)";
const STORE_A_CARD = `
  INSERT INTO cached_certs (grading_company, cert_number, source, card, notes) VALUES ('PSA', '${CERT}', 'api', '{}', '');
  INSERT INTO price_quotes (source, grading_company, cert_number, price, message)
    VALUES ('cardsiq', 'PSA', '${CERT}', '{"estimatedValue": 12.5}', '')`;

let folder: { path: string; remove: () => Promise<void> };
let runs: MainProcess[] = [];
let databases: TestDatabase[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
  // Under root, the database runs as another account, which must be able to enter the folder.
  await chmod(folder.path, 0o711);
});
afterEach(async () => {
  for (const run of runs) run.process.kill("SIGTERM");
  await Promise.all(runs.map((run) => run.ended));
  for (const { drop } of databases) await drop();
  await folder.remove();
  runs = [];
  databases = [];
});

function start(settings: Record<string, string>, ...command: string[]): MainProcess {
  const run = startMain({ DATA_DIR: join(folder.path, "data"), CARD_DELAY_MS: "0", ...settings }, ...command);
  runs.push(run);
  return run;
}

async function makeDatabase(): Promise<{ settings: TestDatabase["settings"]; url: string }> {
  const database = await createEmptyDatabase();
  databases.push(database);
  const { host, user, database: name } = database.settings;
  return { settings: database.settings, url: `postgres://${user}@${encodeURIComponent(host)}/${name}` };
}

async function query(settings: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end();
  }
}

/** A user of a server that is running. */
async function signIn(origin: string) {
  const body = JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, { method: "POST", headers, body });
  const { token } = (await answer.json()) as { token: string };
  return async (path: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Record<string, unknown>;
  };
}

async function expectRefused(run: MainProcess, ...messages: string[]): Promise<void> {
  expect(await run.ended).toBe(1);
  for (const message of messages) expect(run.stderr).toContain(message);
  expect(run.stdout).toBe("");
}

test("an installation goes live and back; each time its data is there", { timeout: 300_000 }, async () => {
  await useMadeDataDir(join(folder.path, "data"));

  // The demo makes up a card.
  const demo = start(ADMIN);
  const get = await signIn(await addressOf(demo));
  expect(await get("/api/status")).toMatchObject({ upstreams: "demo" });
  expect(await get(`/api/psa-api/${CERT}`)).toMatchObject({ certNumber: CERT });
  expect(await stopMain(demo)).toBe(0);

  const toLive = start({ PSA_API_TOKEN: "token" }, "go-live");
  expect([await toLive.ended, toLive.stderr]).toEqual([0, expect.not.stringContaining('"level":50') as string]);
  expect(toLive.stdout).toContain("The live database is ready, with 1 account and no cards.");

  // Live without any setting: the account is there, the card isn't, and no source is made up.
  const live = start({});
  const getLive = await signIn(await addressOf(live));
  expect(live.stdout).not.toContain("Password");
  expect(await getLive("/api/status")).toMatchObject({ upstreams: "live" });
  expect(await getLive("/api/profile")).toMatchObject({ email: ADMIN.ADMIN_EMAIL, role: "admin", totalScans: 0 });
  expect(await getLive(`/api/psa-api/${CERT}`)).toMatchObject({ code: "not_configured" });
  expect(await stopMain(live)).toBe(0);

  // Back: the demo still has its card, so it is not looked up again.
  const toDemo = start({}, "go-demo");
  expect([await toDemo.ended, toDemo.stdout]).toEqual([0, expect.stringContaining("npm start now starts the demo")]);
  const demoAgain = start({});
  const getDemo = await signIn(await addressOf(demoAgain));
  expect(await getDemo("/api/status")).toMatchObject({ upstreams: "demo" });
  expect(await getDemo(`/api/psa-api/${CERT}?forceRefresh=false`)).toMatchObject({ certNumber: CERT });
  expect(await stopMain(demoAgain)).toBe(0);
});

test(
  "with DATABASE_URL, a database beside it goes live, and neither kind starts on the other",
  { timeout: 300_000 },
  async () => {
    const { settings, url } = await makeDatabase();
    const demo = start({ ...ADMIN, DATABASE_URL: url });
    await addressOf(demo);
    expect(await stopMain(demo)).toBe(0);

    const name = `${settings.database}_live`;
    await Promise.all([
      expectRefused(start({ DATABASE_URL: url }, "go-live"), "may not create databases", `--owner=${settings.user}`),
      expectRefused(start({ DATABASE_URL: url, TAG_API_KEY: "key" }), "a demo's made-up cards", "run npm run go-live"),
      expectRefused(start({ DATABASE_URL: url }, "go-demo"), "the settings choose the database"),
      expectRefused(start({}, "go-life"), "Unknown command go-life"),
    ]);

    // A superuser creates what the user may not.
    const superuser = { ...inject("postgresSuperuser"), database: "postgres" };
    const liveSettings = { ...settings, database: name };
    const liveUrl = url.replace(/[^/]+$/, name);
    await query(superuser, `CREATE DATABASE "${name}" OWNER "${settings.user}"`);
    const drop = async () => void (await query(superuser, `DROP DATABASE "${name}"`));
    databases.push({ settings: liveSettings, superuserSettings: superuser, drop });
    for (const message of ["is ready, with 1 account and no cards.", "is ready.\n"]) {
      const toLive = start({ DATABASE_URL: url }, "go-live");
      expect([await toLive.ended, toLive.stderr]).toEqual([0, ""]);
      expect(toLive.stdout).toContain(`The live database ${message}`);
      expect(toLive.stdout).toContain(`change the database in DATABASE_URL to ${name}, set UPSTREAMS=live`);
    }
    expect(await query(liveSettings, "SELECT email, role FROM user_profiles")).toEqual([
      { email: ADMIN.ADMIN_EMAIL, role: "admin" },
    ]);

    await query(liveSettings, STORE_A_CARD);
    const before = await query(liveSettings, STORED);
    await Promise.all([
      expectRefused(
        start({ DATABASE_URL: liveUrl }),
        "This database is live, but no source is set",
        "Set UPSTREAMS=live, or the sources' settings",
        "set DATABASE_URL to an empty database",
      ),
      expectRefused(
        start({ DATABASE_URL: liveUrl, UPSTREAMS: "demo" }),
        "This database is live, but UPSTREAMS is demo",
      ),
      expectRefused(start({ DATABASE_URL: liveUrl }, "go-live"), "live already"),
    ]);
    expect(before).toHaveLength(1);
    expect(await query(liveSettings, STORED)).toEqual(before);
  },
);

test("of a demo and a live server that start at once, one is refused", { timeout: 300_000 }, async () => {
  const { settings, url } = await makeDatabase();
  const kinds = ["demo", "live"] as const;
  const started = kinds.map((kind) => start({ DATABASE_URL: url, UPSTREAMS: kind }));
  const ready = await Promise.all(
    started.map((run) =>
      addressOf(run).then(
        () => true,
        () => false,
      ),
    ),
  );
  const stored = await query(settings, "SELECT value FROM server_settings WHERE name = 'upstreams'");
  expect(stored).toEqual(kinds.filter((_, at) => ready[at]).map((value) => ({ value })));

  // A second node of the recorded kind joins.
  const [kind] = kinds.filter((_, at) => ready[at]);
  const second = start({ DATABASE_URL: url, UPSTREAMS: kind ?? "" });
  expect(await addressOf(second)).toContain("http://localhost:");
});

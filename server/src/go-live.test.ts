import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { openDatabase, openPool, type Database } from "./database/connection.ts";
import { readChoice, startOwnDatabase } from "./database/embedded.ts";
import { readKind, recordKind } from "./database/kind.ts";
import { migrateToLatest } from "./database/migrate.ts";
import { createEmptyDatabase, useMadeDataDir, type TestDatabase } from "./database/testing/test-database.ts";
import { goDemo, goLive } from "./go-live.ts";
import { otherKind } from "./start-failure.ts";
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
  for (const database of databases) await database.end();
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

async function openedAs(settings: TestDatabase["settings"], work: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase(openPool(settings, () => undefined, 2));
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
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

  // Back: the demo still has its card.
  const dataDir = join(folder.path, "data");
  const embedded = await startOwnDatabase({ dataDir, log: { info: () => undefined } });
  expect(await goDemo({ settings: embedded.settings, dataDir, embedded })).toContain("npm start now starts the demo");
  expect(await readChoice(dataDir)).toBe("demo");
  expect(await query(embedded.settings, "SELECT cert_number FROM cached_certs")).toEqual([{ cert_number: CERT }]);
  await embedded.stop();
});

test("with DATABASE_URL, a database beside it goes live, and neither kind starts on the other", async () => {
  const { settings, url } = await makeDatabase();
  await openedAs(settings, async (db) => {
    await migrateToLatest(db);
    expect(await recordKind(db, "demo")).toBe("demo");
    await sql`INSERT INTO user_profiles (id, email, full_name, role)
      VALUES ('owner', ${ADMIN.ADMIN_EMAIL}, 'Owner', 'admin')`.execute(db);
  });
  const store = { settings: { connectionString: url }, dataDir: folder.path, embedded: null };

  await expect(goLive(store)).rejects.toThrow(`createdb --owner=${settings.user}`);
  await expect(goDemo(store)).rejects.toThrow("the settings choose the database");
  const wrongKind = start({ DATABASE_URL: url, TAG_API_KEY: "key" });
  expect([await wrongKind.ended, wrongKind.stdout]).toEqual([1, ""]);
  expect(wrongKind.stderr).toMatch(/a demo's made-up cards[^]*run npm run go-live/);

  // A superuser creates what the user may not.
  const name = `${settings.database}_live`;
  const superuser = { ...inject("postgresSuperuser"), database: "postgres" };
  const liveSettings = { ...settings, database: name };
  await query(superuser, `CREATE DATABASE "${name}" OWNER "${settings.user}"`);
  const end = async () => void (await query(superuser, `DROP DATABASE "${name}"`));
  databases.push({ settings: liveSettings, superuserSettings: superuser, end });
  for (const message of ["is ready, with 1 account and no cards.", "is ready.\n"]) {
    const said = await goLive(store);
    expect(said).toContain(`The live database ${message}`);
    expect(said).toContain(`change the database in DATABASE_URL to ${name}, set UPSTREAMS=live`);
  }
  expect(await query(liveSettings, "SELECT email, role FROM user_profiles WHERE NOT is_service")).toEqual([
    { email: ADMIN.ADMIN_EMAIL, role: "admin" },
  ]);

  await query(liveSettings, STORE_A_CARD);
  const before = await query(liveSettings, STORED);
  const live = { ...store, settings: { connectionString: url.replace(/[^/]+$/, name) } };
  await expect(goLive(live)).rejects.toThrow("live already");
  await openedAs(liveSettings, async (db) => expect(await recordKind(db, "demo")).toBe("live"));
  expect(otherKind("live", { DATABASE_URL: url }).message).toMatch(
    /no source is set[^]*Set UPSTREAMS=live, or the sources' settings[^]*set DATABASE_URL to an empty database/,
  );
  expect(otherKind("live", { UPSTREAMS: "demo" }).message).toContain("This database is live, but UPSTREAMS is demo");
  expect(before).toHaveLength(1);
  expect(await query(liveSettings, STORED)).toEqual(before);
});

test("of a demo and a live server that start at once, one is refused", async () => {
  const { settings } = await makeDatabase();
  await openedAs(settings, async (db) => {
    await migrateToLatest(db);
    const kinds = await Promise.all([recordKind(db, "demo"), recordKind(db, "live")]);
    expect(kinds[0]).toBe(kinds[1]);
    expect(await readKind(db)).toBe(kinds[0]);
  });
});

test("an unknown command is refused", async () => {
  const run = start({}, "go-life");
  expect([await run.ended, run.stdout]).toEqual([1, ""]);
  expect(run.stderr).toContain("Unknown command go-life");
});

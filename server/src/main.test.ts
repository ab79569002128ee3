import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "./database/testing/test-database.ts";
import { SLOW_TO_GUESS } from "./features/users/passwords.rules.ts";
import { addressOf, startMain, stopMain, type MainProcess } from "./testing/main-process.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const NOBODY_LISTENS = "postgres://slabdesk:hunter2@127.0.0.1:1/slabdesk";

let folder: { path: string; remove: () => Promise<void> };
let databases: TestDatabase[] = [];
let runs: MainProcess[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const run of runs) run.process.kill("SIGKILL");
  await Promise.all(runs.map((run) => run.ended));
  await Promise.all(databases.map((database) => database.end()));
  await folder.remove();
  databases = [];
  runs = [];
});

/** Drops a database at the end of its test. */
async function keep(made: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await made;
  databases.push(database);
  return database;
}

function start(databaseUrl: string, settings: Record<string, string> = {}): MainProcess {
  const run = startMain({ UPSTREAMS: "live", DATA_DIR: folder.path, DATABASE_URL: databaseUrl, ...settings });
  runs.push(run);
  return run;
}

function urlOf({ host, user, database }: TestDatabase["settings"]): string {
  return `postgres://${user}@${encodeURIComponent(host)}/${database}`;
}

async function storedPassword(settings: TestDatabase["settings"]): Promise<string> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    const { rows } = await client.query<{ password: string }>("SELECT password FROM auth_accounts");
    return rows[0]?.password ?? "";
  } finally {
    await client.end();
  }
}

test("an installation: a worker, the first start, and the second start", { timeout: 300_000 }, async () => {
  const { settings, superuserSettings } = await keep(createEmptyDatabase());

  // A worker creates no administrator. The error names a port in use.
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const worker = start(urlOf(settings), { ROLE: "worker", PORT: String(port) });
  expect(await worker.ended).toBe(1);
  expect(worker.stderr).toContain(`Port ${port} is in use`);
  expect(worker.stdout).toBe("");
  other.close();
  await once(other, "close");

  // The first start shows the first administrator and the address.
  const first = start(urlOf(settings));
  const here = await addressOf(first);
  const [, email] = /Email: +(\S+)/.exec(first.stdout) ?? [];
  const [, password] = /Password: +(\S+)/.exec(first.stdout) ?? [];
  const answer = await fetch(`${here}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  expect([email, answer.status]).toEqual(["admin@slabdesk.local", 200]);
  expect(first.stderr).not.toContain("superuser");
  const { token } = (await answer.json()) as { token: string };
  const stored = await storedPassword(settings);
  expect(await SLOW_TO_GUESS.verify({ hash: stored, password: password ?? "" })).toBe(true);
  expect(await stopMain(first)).toBe(0);

  // The second start shows only the address. The log warns of the superuser and the short password.
  const { user } = superuserSettings;
  const second = start(urlOf(superuserSettings), { BACKEND_PASSWORD: "guessable" });
  const again = await addressOf(second);
  expect(second.stdout).not.toContain("Password");
  expect(second.stderr).toContain(`"user":"${user}","msg":"The user of DATABASE_URL is a superuser`);
  expect(second.stderr).toContain("BACKEND_PASSWORD is short");
  const profile = await fetch(`${again}/api/profile`, { headers: { authorization: `Bearer ${token}` } });
  expect(profile.status).toBe(200);
  expect(await stopMain(second)).toBe(0);
});

test("a database of Slabdesk 0.1 is refused with what to do", async () => {
  const { settings } = await keep(createEmptyDatabase());
  const client = new pg.Client(settings);
  await client.connect();
  await client.query("CREATE TABLE kysely_migration (name text, timestamp text)");
  await client.query("INSERT INTO kysely_migration VALUES ('0001-people', '2026-11-01')");
  await client.end();
  const run = start(urlOf(settings));
  expect(await run.ended).toBe(1);
  expect(run.stderr).toMatch(/^This database was created by Slabdesk 0\.1, .* set DATA_DIR to a new folder\.\n$/);
});

test("invalid settings are named with the allowed values", async () => {
  const run = start(NOBODY_LISTENS, { PORT: "many", CARD_DELAY_MS: "-5" });
  expect(await run.ended).toBe(2);
  expect(run.stderr).toContain("PORT: must be a whole number");
  expect(run.stderr).toContain("CARD_DELAY_MS: must be a whole number");
});

test.each([
  ["nothing listens there", () => NOBODY_LISTENS, "127.0.0.1:1/slabdesk"],
  ["it has no such database", () => urlOf({ ...inject("postgres"), database: "nowhere" }), "/nowhere"],
])("an unusable database is named without its password: %s", async (reason, url, place) => {
  const run = start(url());
  expect(await run.ended).toBe(1);
  expect(run.stderr).toContain(`${place} cannot be used: ${reason}`);
  expect(run.stderr).not.toContain("hunter2");
});

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "./embedded-database.ts";
import type { EmbeddedDatabaseAddress } from "./probe.ts";
import { testOptions } from "./testing/test-options.ts";

let folder: string;
let running: EmbeddedDatabase;

const start = (): Promise<EmbeddedDatabase> =>
  startEmbeddedDatabase(testOptions(join(folder, "data"), join(folder, "system")));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "embedded-database-role-"));
  await chmod(folder, 0o711);
  running = await start();
});
afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

async function execute(address: EmbeddedDatabaseAddress, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query<object>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

test("the application's role is subject to privileges and can't gain more", async () => {
  const { settings } = running;
  const no = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false };
  expect(
    await execute(settings, `SELECT rolname, ${Object.keys(no).join(", ")} FROM pg_roles WHERE rolname = current_user`),
  ).toEqual([{ rolname: "shop_app", ...no }]);
  for (const statement of ["SET ROLE shop", "COPY pg_class TO PROGRAM 'cat'", "ALTER SYSTEM SET fsync = off"]) {
    await expect(execute(settings, statement)).rejects.toMatchObject({ code: "42501" });
  }
});

test("the role owns the database and everything in it", async () => {
  const { settings, superuserSettings } = running;
  await execute(settings, "CREATE TABLE notes (text text)", "CREATE EXTENSION pg_trgm");
  expect(
    await execute(
      superuserSettings,
      "SELECT datdba::regrole::text AS database, nspowner::regrole::text AS schema FROM pg_database, pg_namespace WHERE datname = current_database() AND nspname = 'public'",
    ),
  ).toEqual([{ database: "shop_app", schema: "pg_database_owner" }]);
  await running.stop();

  running = await start();
  await execute(running.settings, "INSERT INTO notes VALUES ('Then')", "ALTER TABLE notes ADD PRIMARY KEY (text)");
});

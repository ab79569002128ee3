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

/** Objects of an application that connected as the superuser, some in a schema of their own, as job queues have. */
const OLD_INSTALLATION = [
  "CREATE EXTENSION pg_trgm",
  "CREATE TABLE notes (id integer GENERATED ALWAYS AS IDENTITY, text text NOT NULL)",
  "INSERT INTO notes (text) VALUES ('Then')",
  "CREATE TYPE shade AS ENUM ('light')",
  "CREATE TYPE pair AS (one text, other shade)",
  "CREATE DOMAIN short AS text CHECK (length(value) < 9)",
  "CREATE VIEW texts AS SELECT text FROM notes",
  'CREATE SEQUENCE "By hand"',
  "CREATE AGGREGATE total (integer) (SFUNC = int4pl, STYPE = integer)",
  "CREATE SCHEMA queue",
  "CREATE TABLE queue.jobs (name text, id integer DEFAULT 1) PARTITION BY LIST (name)",
  "CREATE TABLE queue.mails PARTITION OF queue.jobs FOR VALUES IN ('mail')",
  "CREATE FUNCTION queue.one() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
];

/** Everything that belongs to the superuser except PostgreSQL's own objects and those of extensions. */
const LEFT_TO_SUPERUSER = `
  SELECT datname AS name FROM pg_database WHERE datname = current_database() AND datdba = current_user::regrole
  UNION ALL SELECT nspname FROM pg_namespace
  WHERE nspowner = current_user::regrole AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
  UNION ALL SELECT relname FROM pg_class
  WHERE relowner = current_user::regrole AND relnamespace::regnamespace::text IN ('public', 'queue')
  UNION ALL SELECT proname FROM pg_proc
  WHERE proowner = current_user::regrole AND pronamespace::regnamespace::text IN ('public', 'queue')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  UNION ALL SELECT typname FROM pg_type
  WHERE typowner = current_user::regrole AND typnamespace::regnamespace::text IN ('public', 'queue')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_type.oid AND deptype = 'e')`;

test("a database created by the superuser is handed over to the role with all its objects", async () => {
  const { superuserSettings } = running;
  const maintenance = { ...superuserSettings, database: "postgres" };
  await execute(maintenance, "DROP DATABASE shop", "DROP ROLE shop_app", "CREATE DATABASE shop");
  await execute(superuserSettings, ...OLD_INSTALLATION);
  expect(await execute(superuserSettings, LEFT_TO_SUPERUSER)).not.toEqual([]);
  await running.stop();

  running = await start();
  expect(await execute(running.superuserSettings, LEFT_TO_SUPERUSER)).toEqual([]);
  const { settings } = running;
  await execute(settings, "INSERT INTO notes (text) VALUES ('Now')");
  expect(await execute(settings, "SELECT text FROM notes ORDER BY id")).toEqual([{ text: "Then" }, { text: "Now" }]);
  // Only an owner may do these.
  await execute(
    settings,
    "ALTER TYPE shade ADD VALUE 'dark'",
    "DROP VIEW texts",
    'DROP SEQUENCE "By hand"',
    "DROP AGGREGATE total (integer)",
    "DROP DOMAIN short",
    "DROP TYPE pair",
    "CREATE TABLE queue.posts PARTITION OF queue.jobs FOR VALUES IN ('post')",
    "DROP FUNCTION queue.one()",
  );
});

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { INTERVALS } from "../../intervals.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { openDatabase, openPool, type Database, type DatabaseSettings } from "../connection.ts";
import { migrateToLatest } from "../migrate.ts";
import { useMadeDataDir } from "../testing/test-database.ts";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "./embedded-database.ts";

let folder: string;
let running: EmbeddedDatabase | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slabdesk-role-"));
  await chmod(folder, 0o711);
});
afterEach(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedDatabase> {
  running = await startEmbeddedDatabase({ dataDir: join(folder, "data"), log: { info: () => {} } });
  return running;
}

async function using<T>(settings: DatabaseSettings, work: (db: Database) => Promise<T>): Promise<T> {
  const errors = createErrors();
  const db = openDatabase(openPool(settings, errors.report, 2));
  try {
    return await work(db);
  } finally {
    errors.ignore();
    await db.destroy();
  }
}

/** Fails the test when an open connection breaks. A closing connection may report that the database stops. */
function createErrors() {
  let isClosing = false;
  return {
    report(error: Error): void {
      if (!isClosing) expect.unreachable(error.message);
    },
    ignore(): void {
      isClosing = true;
    },
  };
}

/** Starts and stops what works with pg-boss, which makes its schema the first time. */
async function runJobs(settings: DatabaseSettings): Promise<void> {
  const errors = createErrors();
  const jobs = createJobs(settings, errors.report, INTERVALS);
  await jobs.start();
  errors.ignore();
  await jobs.stop(1_000);
}

/** An installation whose server connected as the superuser. */
async function makeOldInstallation(): Promise<void> {
  await useMadeDataDir(join(folder, "data"));
  const { superuserSettings, stop } = await start();
  await using({ ...superuserSettings, database: "postgres" }, async (db) => {
    await sql`DROP DATABASE slabdesk`.execute(db);
    await sql`DROP ROLE slabdesk_app`.execute(db);
    await sql`CREATE DATABASE slabdesk`.execute(db);
  });
  await using(superuserSettings, async (db) => {
    await migrateToLatest(db);
    await sql`
      INSERT INTO user_profiles (id, email, full_name) VALUES ('ana', 'ana@example.com', 'Ana')`.execute(db);
    await sql`
      INSERT INTO user_activity_logs (user_id, activity_type, description) VALUES ('ana', 'login', 'Then')`.execute(db);
    await sql`CREATE TYPE shade AS ENUM ('light')`.execute(db);
    await sql`CREATE TYPE pair AS (one text, other shade)`.execute(db);
    await sql`CREATE DOMAIN short AS text CHECK (length(value) < 9)`.execute(db);
    await sql`CREATE VIEW people AS SELECT email FROM user_profiles`.execute(db);
    await sql`CREATE SEQUENCE "By hand"`.execute(db);
    await sql`CREATE AGGREGATE total (integer) (SFUNC = int4pl, STYPE = integer)`.execute(db);
  });
  await runJobs(superuserSettings);
  await stop();
}

test("an installation whose server was the superuser is taken over with its data, and is the application's from then on", async () => {
  await makeOldInstallation();
  const { settings, superuserSettings } = await start();
  await using(settings, async (db) => {
    await migrateToLatest(db);
    await sql`
      INSERT INTO user_activity_logs (user_id, activity_type, description) VALUES ('ana', 'login', 'Now')`.execute(db);
    const { rows } = await sql`SELECT description FROM user_activity_logs ORDER BY id`.execute(db);
    expect(rows).toEqual([{ description: "Then" }, { description: "Now" }]);
    const rights = await sql`
      SELECT privilege FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) AS privilege
      WHERE has_table_privilege('user_activity_logs', privilege)`.execute(db);
    expect(rights.rows).toEqual([{ privilege: "SELECT" }, { privilege: "INSERT" }]);
    // Whoever does not own them could not.
    await sql`ALTER TYPE shade ADD VALUE 'dark'`.execute(db);
    await sql`DROP VIEW people`.execute(db);
    await sql`DROP SEQUENCE "By hand"`.execute(db);
    await sql`DROP AGGREGATE total (integer)`.execute(db);
    await sql`DROP DOMAIN short`.execute(db);
    await sql`DROP TYPE pair`.execute(db);
  });
  await runJobs(settings);
  expect(await leftTo(superuserSettings)).toEqual([]);
});

test("the server's role is bound by grants and has no way to be more", async () => {
  await using(inject("postgres"), async (db) => {
    const { rows } = await sql`
      SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
      FROM pg_roles WHERE rolname = current_user`.execute(db);
    const no = {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    };
    expect(rows).toEqual([{ rolname: "slabdesk_app", ...no }]);
    for (const statement of ["SET ROLE slabdesk", "COPY pg_class TO PROGRAM 'cat'", "ALTER SYSTEM SET fsync = off"]) {
      await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: "42501" });
    }
  });
});

/** What of the product's own objects belongs to the superuser still. */
async function leftTo(superuserSettings: DatabaseSettings): Promise<unknown[]> {
  return using(superuserSettings, async (db) => {
    const { rows } = await sql`
      SELECT datname AS name FROM pg_database WHERE datname = current_database() AND datdba = current_user::regrole
      UNION ALL SELECT nspname FROM pg_namespace
      WHERE nspowner = current_user::regrole AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
      UNION ALL SELECT relname FROM pg_class
      WHERE relowner = current_user::regrole AND relnamespace::regnamespace::text IN ('public', 'pgboss')
      UNION ALL SELECT proname FROM pg_proc
      WHERE proowner = current_user::regrole AND pronamespace::regnamespace::text IN ('public', 'pgboss')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
      UNION ALL SELECT typname FROM pg_type
      WHERE typowner = current_user::regrole AND typnamespace::regnamespace::text IN ('public', 'pgboss')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_type.oid AND deptype = 'e')
    `.execute(db);
    return rows;
  });
}

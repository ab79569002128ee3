import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartFailure } from "../start-failure.ts";
import { openDatabase, openPool, type Database } from "./connection.ts";
import { migrateToLatest } from "./migrate.ts";
import { createEmptyDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createEmptyDatabase();
  db = openDatabase(
    openPool(database.settings, (error) => {
      throw error;
    }),
  );
});
afterEach(async () => {
  await db.destroy();
  await database.end();
});

const tables = async (): Promise<string[]> => (await db.introspection.getTables()).map(({ name }) => name);

test("creates the tables once, even if several nodes start at the same time", async () => {
  await Promise.all([migrateToLatest(db), migrateToLatest(db), migrateToLatest(db)]);
  await migrateToLatest(db);
  expect(await tables()).toContain("scan_results");
});

test("refuses a database of Slabdesk 0.1, says what to do and leaves it unchanged", async () => {
  await sql`CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)`.execute(db);
  await sql`INSERT INTO kysely_migration VALUES ('0001-people', '2026-11-01'), ('0002-scans', '2026-11-01')`.execute(
    db,
  );
  const refusal = await migrateToLatest(db).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartFailure);
  expect(String(refusal)).toMatch(/Slabdesk 0\.1.*export.*empty database.*DATABASE_URL.*DATA_DIR/);
  expect(await tables()).toEqual([]);
});

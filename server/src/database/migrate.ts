import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { StartFailure } from "../start-failure.ts";
import type { Database } from "./connection.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** The first migration of Slabdesk 0.1. The baseline replaced the migrations of 0.1. */
const FIRST_OF_0_1 = "0001-people";

const FROM_0_1 =
  "This database was created by Slabdesk 0.1, and this version cannot read it. It was not changed. To keep its " +
  "results, export them with 0.1. Then start this version with an empty database: set DATABASE_URL to one, or, " +
  "with the built-in database, set DATA_DIR to a new folder.";

/**
 * Migrates to the newest schema in one transaction. Several nodes may start at once: Kysely holds a lock.
 * @throws StartFailure if the database is one of Slabdesk 0.1, else an error with the first failed migration as cause
 */
export async function migrateToLatest(db: Database): Promise<void> {
  if (await isFrom01(db)) throw new StartFailure(FROM_0_1);
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
  if (error) throw new Error("Could not migrate the database to the newest schema", { cause: error });
}

async function isFrom01(db: Database): Promise<boolean> {
  const migrated = await sql`SELECT WHERE to_regclass('kysely_migration') IS NOT NULL`.execute(db);
  if (migrated.rows.length === 0) return false;
  const first = await sql`SELECT FROM kysely_migration WHERE name = ${FIRST_OF_0_1}`.execute(db);
  return first.rows.length > 0;
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).sort();
  const loaded = await Promise.all(
    files.map(async (file): Promise<[string, Migration]> => {
      const statements = await readFile(new URL(file, FOLDER), "utf8");
      return [file.replace(/\.sql$/, ""), { up: async (db) => void (await sql.raw(statements).execute(db)) }];
    }),
  );
  return Object.fromEntries(loaded);
}

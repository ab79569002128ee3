import { readdir } from "node:fs/promises";
import { Migrator, type Migration } from "kysely/migration";
import type { Database } from "./connection.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Brings the database to the newest schema. Kysely holds an advisory lock meanwhile, so any number of nodes may
 * start at once.
 *
 * @throws Error around the first migration's; the database stays as it was, as all run in one transaction
 */
export async function migrateToLatest(db: Database): Promise<void> {
  const { error } = await createMigrator(db).migrateToLatest();
  if (error) throw new Error("The database could not be brought to the newest schema", { cause: error });
}

export function createMigrator(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations } });
}

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}-.*\.ts$/.test(file)).sort();
  const loaded = await Promise.all(
    files.map(async (file): Promise<[string, Migration]> => [
      file.replace(/\.ts$/, ""),
      await import(new URL(file, FOLDER).href),
    ]),
  );
  return Object.fromEntries(loaded);
}

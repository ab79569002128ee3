import { readdir } from "node:fs/promises";
import { Migrator, type Migration } from "kysely/migration";
import type { Database } from "./connection.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Migrates the database to the newest schema. Kysely holds an advisory lock meanwhile, so several nodes may start at
 * once.
 *
 * @throws Error with the first failed migration as its cause; all run in one transaction, so the database is unchanged
 */
export async function migrateToLatest(db: Database): Promise<void> {
  const { error } = await createMigrator(db).migrateToLatest();
  if (error) throw new Error("Could not migrate the database to the newest schema", { cause: error });
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

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedDatabase } from "@slabdesk/embedded-database/embedded-database.ts";
import { copyDataDir } from "@slabdesk/embedded-database/testing/copy-data-dir.ts";
import type { TestProject } from "vitest/node";
import { INTERVALS } from "../../intervals.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { openDatabase, openPool, type Database } from "../connection.ts";
import { startOwnDatabase } from "../embedded.ts";
import { migrateToLatest } from "../migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: EmbeddedDatabase["settings"];
    postgresSuperuser: EmbeddedDatabase["superuserSettings"];
    /** A data folder with all migrations and no rows, from a clean shutdown. `useMadeDataDir` copies it. */
    madeDataDir: string;
  }
}

/**
 * Vitest calls this once before the server's tests. It starts one PostgreSQL for the whole run, with a migrated
 * database that `createTestDatabase` clones. Tests that start an embedded database copy the data folder instead.
 *
 * @returns the function that Vitest calls after the last test
 */
export default async function startPostgresForTests(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "slabdesk-tests-"));
  // Under root, the database runs as another account, which must be able to enter the folder.
  await chmod(folder, 0o711);
  const dataDir = join(folder, "data");
  const madeDataDir = join(folder, "made");
  let running: EmbeddedDatabase | null = null;
  const stop = async () => {
    await running?.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    running = await start(dataDir);
    await makeTables(running.settings);
    await running.stop();
    await copyDataDir(dataDir, madeDataDir);
    running = await start(dataDir);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("postgres", running.settings);
  project.provide("postgresSuperuser", running.superuserSettings);
  project.provide("madeDataDir", madeDataDir);
  return stop;
}

/**
 * Nothing waits for the disk: no test kills this PostgreSQL, and tests that kill one start their own. Autovacuum would
 * visit the database of every test file each minute.
 */
const FOR_TESTS = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", autovacuum: "off" };

const start = (dataDir: string): Promise<EmbeddedDatabase> =>
  startOwnDatabase({ dataDir, log: { info: () => {} }, postgresSettings: FOR_TESTS });

async function makeTables(settings: EmbeddedDatabase["settings"]): Promise<void> {
  await using(settings, migrateToLatest);
  const jobs = createJobs(settings, IGNORE, INTERVALS);
  await jobs.start();
  await jobs.stop(1_000);
}

async function using(settings: EmbeddedDatabase["settings"], work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = openDatabase(openPool(settings, IGNORE));
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/** Failed statements reject anyway. A connection reports only that the database ended, possibly before its own end. */
const IGNORE = (): void => undefined;

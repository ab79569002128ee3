import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { TestProject } from "vitest/node";
import { openDatabase, openPool } from "../connection.ts";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "../embedded/embedded-database.ts";
import { INTERVALS } from "../../intervals.ts";
import { createJobs } from "../../jobs/jobs.ts";
import { migrateToLatest } from "../migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: EmbeddedDatabase["settings"];
    postgresSuperuser: EmbeddedDatabase["superuserSettings"];
  }
}

const STOP_MS = 10_000;

/**
 * Vitest calls this once before the server's tests: one PostgreSQL for the whole run, and in it a database with every
 * migration applied and all queues, which `createTestDatabase` clones.
 *
 * @returns what Vitest calls after the last test
 */
export default async function startPostgresForTests(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "slabdesk-tests-"));
  // As root the database runs as another account, which has to pass through.
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedDatabase({ dataDir: join(folder, "data"), log: { info: () => {} } });
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await migrateTemplate(postgres.settings);
    await installQueues(postgres.settings);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("postgres", postgres.settings);
  project.provide("postgresSuperuser", postgres.superuserSettings);
  return stop;
}

/** A server finds its queues and need not make them. */
async function installQueues(settings: EmbeddedDatabase["settings"]): Promise<void> {
  const report = (error: Error): void => {
    throw error;
  };
  const jobs = createJobs(settings, report, INTERVALS);
  await jobs.start();
  await jobs.stop(STOP_MS);
}

async function migrateTemplate(settings: EmbeddedDatabase["settings"]): Promise<void> {
  const db = openDatabase(
    openPool(settings, (error) => {
      throw error;
    }),
  );
  try {
    await migrateToLatest(db);
    // No test cuts this PostgreSQL's power: its commits need not wait for the disk. Those that are killed are others.
    await sql`ALTER ROLE CURRENT_USER SET synchronous_commit = off`.execute(db);
  } finally {
    await db.destroy();
  }
}

import { randomBytes } from "node:crypto";
import type { EmbeddedDatabaseAddress } from "@slabdesk/embedded-database/probe.ts";
import { copyDataDir } from "@slabdesk/embedded-database/testing/copy-data-dir.ts";
import pg from "pg";
import { inject } from "vitest";

/** A database of one test file. */
export type TestDatabase = {
  settings: EmbeddedDatabaseAddress;
  /** Superuser access. Revoked privileges don't apply to it. */
  superuserSettings: EmbeddedDatabaseAddress;
  /**
   * Ends the use of the database. Fails if a connection is still open: close pools and stop workers first. The files stay
   * until the end of the run, because ext4 without a journal creates files slowly for minutes after many were deleted.
   */
  end: () => Promise<void>;
};

/** Clones the migrated template, so that a test file starts with every table and no row. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(inject("postgres").database);
}

/** Creates a database without tables, as on a new installation. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template0");
}

/** Copies the made data folder, which has every table and no rows, for a test's own embedded database. */
export async function useMadeDataDir(to: string): Promise<void> {
  await copyDataDir(inject("madeDataDir"), to);
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const database = `test_${randomBytes(8).toString("hex")}`;
  const name = pg.escapeIdentifier(database);
  const owner = pg.escapeIdentifier(inject("postgres").user);
  await execute(`CREATE DATABASE ${name} TEMPLATE ${pg.escapeIdentifier(template)} OWNER ${owner} STRATEGY FILE_COPY`);
  return {
    settings: { ...inject("postgres"), database },
    superuserSettings: { ...inject("postgresSuperuser"), database },
    // Like DROP, RENAME fails while a connection is open.
    end: () => execute(`ALTER DATABASE ${name} RENAME TO ${pg.escapeIdentifier(`ended_${database}`)}`),
  };
}

async function execute(statement: string): Promise<void> {
  const client = new pg.Client({ ...inject("postgresSuperuser"), database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

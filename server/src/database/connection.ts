import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Schema } from "./schema.ts";

/** What a repo needs: the database itself or an open transaction. */
export type Database = Kysely<Schema>;
export type DatabaseTransaction = Transaction<Schema>;

/** How to reach PostgreSQL: an address, or host (a socket folder or a name), user and database. */
export type DatabaseSettings =
  | { connectionString: string }
  | { host: string; port?: number; user: string; database: string };

// int8 and numeric arrive as text. Our counters and ids stay far below 2^53 and prices below 10^10.
const INT8 = 20;
const NUMERIC = 1700;
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(NUMERIC, Number);

/** Opens a pool. Connections that break while idle are dropped and reported, never fatal. */
export function openPool(settings: DatabaseSettings, onIdleError: (error: Error) => void, max = 20): pg.Pool {
  const pool = new pg.Pool({ ...settings, max, application_name: "slabdesk", options: "-c timezone=UTC" });
  pool.on("error", onIdleError);
  return pool;
}

export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

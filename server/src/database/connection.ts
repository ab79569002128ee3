import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Schema } from "./schema.ts";

export type Database = Kysely<Schema>;
export type DatabaseTransaction = Transaction<Schema>;

/** PostgreSQL's address: a connection string, or host (a socket folder or a name), user and database. */
export type DatabaseSettings =
  | { connectionString: string }
  | { host: string; port?: number; user: string; database: string };

// int8 and numeric arrive as text. Our counters and ids stay far below 2^53, and prices below 10^10.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/**
 * PostgreSQL releases a dead node's locks within 30 seconds. Random reads are cheap on today's disks; with the default
 * of 4, it would sort all rows of a new session to find one page. One person's query must not take several processors.
 */
const SESSION_OPTIONS = [
  "timezone=UTC",
  "random_page_cost=1.1",
  "max_parallel_workers_per_gather=0",
  "tcp_keepalives_idle=10",
  "tcp_keepalives_interval=5",
  "tcp_keepalives_count=3",
  "idle_in_transaction_session_timeout=60000",
]
  .map((option) => `-c ${option}`)
  .join(" ");
const CONNECT_TIMEOUT_MS = 30_000;

/** Opens a pool. Connections that break while idle are dropped and reported; they never end the process. */
export function openPool(settings: DatabaseSettings, onIdleError: (error: Error) => void, max = 20): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    max,
    application_name: "slabdesk",
    options: SESSION_OPTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  pool.on("error", onIdleError);
  // A connection that breaks between two statements of a transaction also emits an event, which would end the process
  // without a listener. No action is needed: the transaction's next statement fails.
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    client.query = new Proxy(client.query, {
      apply: (query, self, [statement, ...rest]: unknown[]): unknown =>
        Reflect.apply(query, self, [named(statement), ...rest]),
    });
  });
  return pool;
}

/**
 * Ends a statement that runs often and has a fixed text, so that each connection parses and plans it only once. It must
 * name its columns: with `*`, a connection that prepared it fails after a migration that adds a column.
 */
export const PREPARED = sql`/* prepared */`;
const names = new Map<string, string>();

/** pg prepares the statements that have a name. */
function named(statement: unknown): unknown {
  if (typeof statement !== "string" || !statement.endsWith("/* prepared */")) return statement;
  const name = names.get(statement) ?? `prepared_${names.size}`;
  names.set(statement, name);
  return { name, text: statement };
}

const INDEX_ROW_TOO_LARGE = "54000";
const LOCK_NOT_AVAILABLE = "55P03";

/** Whether the database rejected a value itself ("22…": data exceptions), so that a retry can't help. */
export function isUnstorable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code?.startsWith("22") || error.code === INDEX_ROW_TOO_LARGE);
}

/** Thrown if another transaction holds a lock for too long. */
export class BusyError extends Error {
  override name = "BusyError";
}

export const LONGEST_LOCK_WAIT_MS = 1_000;

/** Runs a transaction that waits at most `waitMs` for each lock. @throws BusyError if that is not enough */
export async function transactUnlessBusy<T>(
  db: Database,
  work: (trx: DatabaseTransaction) => Promise<T>,
  waitMs: number,
): Promise<T> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('lock_timeout', ${String(waitMs)}, true)`.execute(trx);
      return work(trx);
    });
  } catch (cause) {
    const isBusy = cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE;
    throw isBusy ? new BusyError("Another transaction holds a lock", { cause }) : cause;
  }
}

/** Returns false if a transaction ended with a `BusyError`. */
export async function isDone(transaction: Promise<unknown>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (error instanceof BusyError) return false;
    throw error;
  }
}

export const openDatabase = (pool: pg.Pool): Database => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });

import { setTimeout as pause } from "node:timers/promises";
import { openPool } from "../../server/src/database/connection.ts";
import { startOwnDatabase } from "../../server/src/database/embedded.ts";

/** The database's work since its start. */
export type Work = { statements: number; commits: number; walBytes: number };

export type BenchDatabase = {
  url: string;
  /** Runs one statement that doesn't count as the server's work. */
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  work(): Promise<Work>;
  drop(): Promise<void>;
};

export type Postgres = {
  version(): Promise<string>;
  createDatabase(): Promise<BenchDatabase>;
  close(): Promise<void>;
};

/** Marks the benchmark's statements, to tell them from the server's. */
const OURS = "bench_asks";

/** The project's own PostgreSQL with durable commits and the extension that counts statements. */
export async function startPostgres(dataDir: string): Promise<Postgres> {
  const log = { info: () => {} };
  let closing = false;
  /** A connection that is closing may still receive the shutdown notice. */
  const reportLost = (error: Error): void => {
    if (!closing) throw error;
  };
  const first = await startOwnDatabase({ dataDir, log });
  const setUp = openPool(first.superuserSettings, () => {}, 1);
  await setUp.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  await setUp.end();
  await first.stop();
  const embedded = await startOwnDatabase({ dataDir, log });
  const admin = openPool(embedded.superuserSettings, reportLost, 1);
  await admin.query("CREATE EXTENSION pg_stat_statements");
  let count = 0;

  return {
    async version() {
      const { rows } = await admin.query<{ server_version: string }>("SHOW server_version");
      return rows[0]?.server_version ?? "";
    },
    async createDatabase() {
      count += 1;
      const name = `bench_${count}`;
      const { host, port, user } = embedded.settings;
      await admin.query(`CREATE DATABASE ${name} OWNER ${user}`);
      const pool = openPool({ ...embedded.superuserSettings, database: name }, reportLost, 1);
      return {
        url: `postgres://${user}@${encodeURIComponent(host)}:${port}/${name}`,
        async query<Row extends object>(statement: string, values: unknown[] = []) {
          const { rows } = await pool.query<Row>(`${statement} /* ${OURS} */`, values);
          return rows;
        },
        async work() {
          const { rows } = await admin.query<Work>(
            `SELECT coalesce(sum(calls), 0)::float8 AS statements,
               coalesce(sum(calls) FILTER (WHERE query ILIKE 'commit%'), 0)::float8 AS commits,
               pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS "walBytes"
             FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
             WHERE datname = $1 AND query NOT LIKE '%${OURS}%'`,
            [name],
          );
          const [work] = rows;
          if (!work) throw new Error("The database counts no statements");
          return work;
        },
        async drop() {
          await pool.end();
          await admin.query(`DROP DATABASE ${name}`);
        },
      };
    },
    async close() {
      closing = true;
      await admin.end();
      await embedded.stop();
    },
  };
}

/** The database's work between two readings. */
export function between(before: Work, after: Work): Work {
  return {
    statements: after.statements - before.statements,
    commits: after.commits - before.commits,
    walBytes: after.walBytes - before.walBytes,
  };
}

/** Statements per second of an idle node. */
export async function idleWork(database: BenchDatabase, seconds: number): Promise<Work> {
  const before = await database.work();
  await pause(seconds * 1000);
  const { statements, commits, walBytes } = between(before, await database.work());
  return { statements: statements / seconds, commits: commits / seconds, walBytes: walBytes / seconds };
}

import pg from "pg";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { openDatabase, openPool } from "./connection.ts";
import { createTestDatabase } from "./testing/test-database.ts";

/*
 * A database that ends, by a crash or by its administrator, cuts connections at whatever they are at. One that a
 * transaction holds between two of its statements is nobody's but the transaction's: its end must not end the process.
 */
test("a connection cut between two statements fails the transaction and nothing else", async () => {
  const database = await createTestDatabase();
  const db = openDatabase(openPool(database.settings, () => undefined));
  const other = new pg.Client(database.settings);
  await other.connect();

  const transaction = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx);
    await other.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    const isGone = async (): Promise<boolean> => {
      const { rowCount } = await other.query("SELECT FROM pg_stat_activity WHERE pid = $1", [rows[0]?.pid]);
      return rowCount === 0;
    };
    await vi.waitUntil(isGone, { timeout: 30_000 });
    return sql`SELECT 1`.execute(trx);
  });
  await expect(transaction).rejects.toThrow();
  const { rows } = await sql<{ one: number }>`SELECT 1 AS one`.execute(db);
  expect(rows).toEqual([{ one: 1 }]);

  await other.end();
  await db.destroy();
  await database.drop();
});

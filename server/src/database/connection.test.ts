import pg from "pg";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { openDatabase, openPool } from "./connection.ts";
import { createTestDatabase } from "./testing/test-database.ts";

/*
 * A database that stops, by a crash or by its administrator, closes connections at any time. If a transaction holds one
 * between two statements, only that transaction may fail, not the process.
 */
test("a connection lost between two statements fails only its transaction", async () => {
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
  await database.end();
});

import pg from "pg";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { openDatabase, openPool, PREPARED } from "./connection.ts";
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

test("only marked statements are prepared, once per connection", async () => {
  const database = await createTestDatabase();
  const db = openDatabase(openPool(database.settings, () => undefined, 1));
  const doubled = async (number: number) => {
    const { rows } = await sql<{ doubled: number }>`SELECT ${number}::int * 2 AS doubled ${PREPARED}`.execute(db);
    return rows[0]?.doubled;
  };
  expect([await doubled(1), await doubled(2), await doubled(3)]).toEqual([2, 4, 6]);
  expect(await db.selectFrom("lanes").select("name").modifyEnd(PREPARED).execute()).not.toEqual([]);
  const { rows } = await sql<{ statement: string; runs: number }>`
    SELECT statement, generic_plans + custom_plans AS runs FROM pg_prepared_statements ORDER BY statement`.execute(db);
  expect(rows).toEqual([
    { statement: "SELECT $1::int * 2 AS doubled /* prepared */", runs: 3 },
    { statement: 'select "name" from "lanes" /* prepared */', runs: 1 },
  ]);
  await db.destroy();
  await database.end();
});

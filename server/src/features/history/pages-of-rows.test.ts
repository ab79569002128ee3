import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, openPool, type Database } from "../../database/connection.ts";
import { numberOf } from "../../database/statements.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { resultLines } from "../sessions/result-lines.repo.ts";
import { hasRowsAfter, listRows } from "../sessions/sessions.repo.ts";
import { findNewestRows } from "./search.repo.ts";

const NUMBERS = [1, 2, 3, 4];
const ROWS = 5_000;
const PAGE = 100;
const FILE = { columns: 31, publicUrl: "" };
/** A page is read twice: once for its size and once for its columns. */
const ENOUGH = 3 * PAGE;

let database: TestDatabase;
let db: Database;
let sessionIds: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const onError = (error: Error): never => {
    throw error;
  };
  db = openDatabase(openPool(database.settings, onError, 1));
  await sql`
    INSERT INTO user_profiles (id, email, full_name)
    SELECT 'user ' || n, n || '@example.com', n::text FROM generate_series(1, ${sql.lit(NUMBERS.length)}) AS n;
    INSERT INTO scan_sessions (user_id, session_name, csv_filename, header, total_cards, processing_mode,
      include_pricing, reuse_known)
    SELECT id, full_name, 'box.csv', '[]', ${sql.lit(ROWS)}, 'api', false, true FROM user_profiles;
    INSERT INTO scan_results (session_id, user_id, line, cells, status, cert_number, grading_company, price_text,
      customer_price, sheet_notes, notes, event_seq)
    SELECT s.id, s.user_id, n, '[]', 'completed', (10000000 + n)::text, 'PSA', '', '', '', '', 1
    FROM scan_sessions AS s, generate_series(1, ${sql.lit(ROWS)}) AS n ORDER BY s.session_name, n;
    ANALYZE`.execute(db);
  const sessions = await db.selectFrom("scan_sessions").select("id").orderBy("session_name").execute();
  sessionIds = sessions.map(({ id }) => id);
});
afterAll(async () => {
  await db.destroy();
  await database.end();
});

/** How many rows of the table a statement reads. */
function rowsRead(work: (trx: Database) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const count = () =>
      numberOf(trx)`
        SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'scan_results'`;
    const before = await count();
    await work(trx);
    return (await count()) - before;
  });
}

test.each(NUMBERS)("a page of session %i reads no rows of other sessions", async (number) => {
  const sessionId = sessionIds[number - 1] ?? "";
  const last = number * ROWS;
  for (const cursor of [0, last - ROWS, last - ROWS / 2, last - 10]) {
    const page = { cursor, limit: PAGE };
    expect(await rowsRead((trx) => listRows(trx, sessionId, page)), `${cursor}`).toBeLessThan(ENOUGH);
    expect(await rowsRead((trx) => resultLines(FILE).list(trx, sessionId, page)), `${cursor}`).toBeLessThan(ENOUGH);
    expect(await rowsRead((trx) => hasRowsAfter(trx, sessionId, cursor)), `${cursor}`).toBeLessThan(ENOUGH);
  }
  expect(await hasRowsAfter(db, sessionId, last - 1)).toBe(true);
  expect(await hasRowsAfter(db, sessionId, last)).toBe(false);
});

test.each(NUMBERS)("a search of the newest rows of user %i reads no rows of others", async (number) => {
  const search = { owner: `user ${number}`, text: "a text that no row contains" };
  expect(await rowsRead((trx) => findNewestRows(trx, search, PAGE))).toBeLessThan(ENOUGH);
});

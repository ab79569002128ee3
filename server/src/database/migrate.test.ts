import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase, openPool } from "./connection.ts";
import { createMigrator, migrateToLatest } from "./migrate.ts";
import { createEmptyDatabase } from "./testing/test-database.ts";

const LONG = randomBytes(4_000).toString("hex");

test("migrates a table with rows and its counters while a card is settled, whatever its number", async () => {
  const database = await createEmptyDatabase();
  const pool = openPool(database.settings, (error) => {
    throw error;
  });
  const db = openDatabase(pool);
  const settling = await pool.connect();
  try {
    const { error } = await createMigrator(db).migrateTo("0006-prices");
    expect(error).toBeUndefined();
    await sql`INSERT INTO user_profiles (id, email, full_name, role) VALUES ('u', 'u@example.com', 'U', 'user')`.execute(
      db,
    );
    await sql`
      INSERT INTO scan_sessions (user_id, session_name, csv_filename, header, total_cards, processing_mode,
        include_pricing, reuse_known) VALUES ('u', 'a', 'a.csv', '[]', 2, 'api', false, true)`.execute(db);
    await sql`
      INSERT INTO scan_results (session_id, user_id, line, cells, status, cert_number, grading_company, price_text,
        customer_price, sheet_notes, notes, warnings, event_seq)
      SELECT id, user_id, 1, '[]', 'error', ${LONG}, 'PSA', '', '', '', '', '[]', 1 FROM scan_sessions`.execute(db);

    await sql`
      INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending)
      VALUES ('psa-api', '2026-11-20T23:59:59Z', 1, 'answered'), ('psa-api', '2026-11-20T00:00:00Z', 1, 'timed_out')`.execute(
      db,
    );

    await settling.query("BEGIN");
    await settling.query(
      "INSERT INTO cached_certs (grading_company, cert_number, source, card, notes) VALUES ('PSA', '1', 'api', '{}', '')",
    );
    const migrating = migrateToLatest(db);
    const isWaiting = async (): Promise<boolean> => {
      const { rowCount } = await pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%LOCK TABLE%' AND pid <> pg_backend_pid() AND datname = current_database()",
      );
      return rowCount === 1;
    };
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true);
    await settling.query("UPDATE scan_results SET status = 'completed'");
    await settling.query("COMMIT");
    await migrating;
    const { rows } = await pool.query("SELECT status, length(search_text) AS length, look_ups FROM scan_results");
    expect(rows).toEqual([{ status: "completed", length: 640, look_ups: [] }]);
    const figures = await pool.query("SELECT grading_company, outcome, cards, value, is_sum FROM scan_counters");
    expect(figures.rows).toEqual([{ grading_company: "PSA", outcome: "", cards: 1, value: 0, is_sum: true }]);
    const days = await pool.query("SELECT day::text, endpoint, calls FROM upstream_call_days");
    expect(days.rows).toEqual([{ day: "2026-11-20", endpoint: "psa-api", calls: 2 }]);
  } finally {
    settling.release();
    await db.destroy();
    await database.drop();
  }
});

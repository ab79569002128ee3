import { sql, type Kysely, type QueryExecutorProvider } from "kysely";
import { holdTables } from "../hold-tables.ts";

/** Admin data: counters maintained by triggers, manual pauses of endpoints, one-time passwords. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await holdTables(db, ["user_activity_logs"]);
  await sql`
    ALTER TABLE endpoints
      ADD COLUMN paused_at timestamptz,
      ADD COLUMN manually_paused_at timestamptz,
      ADD COLUMN manually_paused_by text`.execute(db);
  await sql`ALTER TABLE upstream_calls ADD COLUMN user_id text`.execute(db);
  await sql`
    ALTER TABLE user_profiles
      ADD COLUMN one_time_password text CHECK (one_time_password IN ('given', 'used')),
      ADD COLUMN one_time_until timestamptz`.execute(db);
  await sql`CREATE INDEX user_activity_logs_person ON user_activity_logs (user_id, timestamp DESC)`.execute(db);
  await sql`CREATE INDEX user_activity_logs_type ON user_activity_logs (activity_type, timestamp DESC)`.execute(db);
  await addFigures(db);
}

/** Counters of settled rows `r`: their number and their value. */
const FIGURES_OF_ROWS = sql`
  r.session_id, (COALESCE(r.processed_at, r.created_at) AT TIME ZONE 'UTC')::date AS day,
  CASE WHEN r.grading_company IN ('PSA', 'CGC', 'TAG') THEN r.grading_company ELSE '' END AS grading_company,
  COALESCE(r.outcome, '') AS outcome, COALESCE(r.source, '') AS source, r.status,
  COALESCE(r.cardladder_price->>'cardladderEstimate', r.cardsiq_price->>'estimatedValue', '0')::numeric AS value`;
const SETTLED = sql`r.status IN ('completed', 'completed_retry', 'error', 'failed')`;

/**
 * Triggers maintain sums of settled rows. Each statement appends what it changed, so that no statement waits for
 * another one's counter. A rollup adds these up later; readers always sum.
 */
async function addFigures(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE scan_counters (
      session_id uuid NOT NULL,
      day date NOT NULL,
      grading_company text NOT NULL,
      outcome text NOT NULL,
      source text NOT NULL,
      status text NOT NULL,
      cards integer NOT NULL,
      value numeric NOT NULL,
      is_sum boolean NOT NULL DEFAULT false
    )`.execute(db);
  await fillFigures(db);
  await sql`CREATE INDEX scan_figures_session ON scan_counters (session_id)`.execute(db);
  await sql`CREATE INDEX scan_figures_day ON scan_counters (day)`.execute(db);
  await sql`CREATE INDEX scan_figures_added ON scan_counters (session_id) WHERE NOT is_sum`.execute(db);
  for (const [event, before, after] of [
    ["INSERT", null, "new_rows"],
    ["UPDATE", "old_rows", "new_rows"],
    ["DELETE", "old_rows", null],
  ] as const) {
    const name = sql.id(`note_figures_of_${event.toLowerCase()}`);
    const parts = [
      after && sql`SELECT ${FIGURES_OF_ROWS}, 1 AS cards FROM ${sql.id(after)} AS r WHERE ${SETTLED}`,
      before && sql`SELECT ${FIGURES_OF_ROWS}, -1 AS cards FROM ${sql.id(before)} AS r WHERE ${SETTLED}`,
    ].filter((part) => part !== null);
    await sql`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO scan_counters (session_id, day, grading_company, outcome, source, status, cards, value)
        SELECT session_id, day, grading_company, outcome, source, status, sum(cards), sum(cards * value)
        FROM (${sql.join(parts, sql` UNION ALL `)}) AS changed
        GROUP BY session_id, day, grading_company, outcome, source, status
        HAVING sum(cards) <> 0 OR sum(cards * value) <> 0;
        RETURN NULL;
      END $$`.execute(db);
    const tables = [before && sql`OLD TABLE AS old_rows`, after && sql`NEW TABLE AS new_rows`].filter(
      (table) => table !== null,
    );
    await sql`
      CREATE TRIGGER ${name} AFTER ${sql.raw(event)} ON scan_results
      REFERENCING ${sql.join(tables, sql` `)} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`.execute(db);
  }
}

/** Counts all settled rows into the counters. The counters must not contain any of them yet. */
export async function fillFigures(db: QueryExecutorProvider): Promise<void> {
  await sql`
    INSERT INTO scan_counters
    SELECT session_id, day, grading_company, outcome, source, status, count(*), sum(value), true
    FROM (SELECT ${FIGURES_OF_ROWS} FROM scan_results AS r WHERE ${SETTLED}) AS figures
    GROUP BY session_id, day, grading_company, outcome, source, status`.execute(db);
}

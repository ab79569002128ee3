import { sql, type Kysely } from "kysely";

/** Pauses of endpoints and PSA's daily quota; rows that wait, retry or have their own mode; the pace of a lane. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE endpoints (
      name text PRIMARY KEY,
      failures integer NOT NULL DEFAULT 0,
      pauses integer NOT NULL DEFAULT 0,
      paused_until timestamptz,
      pause_code text,
      pause_message text,
      probe_until timestamptz,
      window_started_at timestamptz,
      used integer NOT NULL DEFAULT 0,
      learned_limit integer,
      learned_at timestamptz
    )`.execute(db);
  await sql`
    INSERT INTO endpoints (name)
    VALUES ('psa-api'), ('psa-page'), ('cgc-api'), ('cgc-page'), ('tag-api'), ('tag-page')`.execute(db);
  await sql`
    ALTER TABLE lanes ADD COLUMN card_ms integer, ADD COLUMN next_call_at timestamptz NOT NULL DEFAULT now()`.execute(
    db,
  );
  await sql`
    ALTER TABLE scan_results
      ADD COLUMN own_mode text,
      ADD COLUMN retries integer NOT NULL DEFAULT 0,
      ADD COLUMN attempts integer NOT NULL DEFAULT 0,
      ADD COLUMN claimed_at timestamptz`.execute(db);
  // Lets every progress event count a session's rows by state and cause with an index-only scan.
  await sql`
    CREATE INDEX scan_results_session_states
    ON scan_results (session_id, status, outcome, grading_company, waiting_until)`.execute(db);
  await sql`DROP INDEX scan_results_session_status`.execute(db);
  await sql`CREATE INDEX scan_results_waiting ON scan_results (waiting_until) WHERE status = 'waiting'`.execute(db);
}

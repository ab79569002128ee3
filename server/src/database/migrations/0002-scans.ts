import { sql, type Kysely } from "kysely";

/** Scan sessions, their rows, cached certs, and the pacing of the lanes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE scan_sessions (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      user_id text NOT NULL REFERENCES user_profiles (id) ON DELETE CASCADE,
      session_name text NOT NULL,
      csv_filename text NOT NULL,
      header jsonb NOT NULL,
      total_cards integer NOT NULL,
      processed_cards integer NOT NULL DEFAULT 0,
      processing_mode text NOT NULL CHECK (processing_mode IN ('api-with-fallback', 'api', 'scraping')),
      include_pricing boolean NOT NULL,
      reuse_known boolean NOT NULL,
      status text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'completed', 'failed')),
      started_at timestamptz NOT NULL DEFAULT now(),
      completed_at timestamptz,
      upload_date timestamptz NOT NULL DEFAULT now(),
      event_seq bigint NOT NULL DEFAULT 0,
      idempotency_key text,
      request_hash text,
      UNIQUE (user_id, idempotency_key)
    )`.execute(db);
  await sql`CREATE INDEX scan_sessions_user ON scan_sessions (user_id, started_at DESC)`.execute(db);
  await sql`
    CREATE TABLE scan_results (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      session_id uuid NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
      user_id text NOT NULL REFERENCES user_profiles (id) ON DELETE CASCADE,
      line integer NOT NULL,
      cells jsonb NOT NULL,
      sheet_notes text NOT NULL,
      status text NOT NULL,
      outcome text,
      waiting_until timestamptz,
      source text,
      job_id uuid,
      event_seq bigint NOT NULL,
      cert_number text NOT NULL,
      grading_company text NOT NULL,
      item_name text,
      player_character text,
      year text,
      language text,
      brand_set text,
      card_number text,
      grade text,
      sport_game text,
      variety text,
      grader_notes text,
      tag_score text,
      front_image_url text,
      back_image_url text,
      cert_url text,
      price numeric,
      price_text text NOT NULL,
      customer_price text NOT NULL,
      inventory_name text,
      notes text NOT NULL,
      processing_error text,
      warnings jsonb NOT NULL DEFAULT '[]',
      processed_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX scan_results_session ON scan_results (session_id, id)`.execute(db);
  // Lets every progress event count a session's rows by state with an index-only scan.
  await sql`CREATE INDEX scan_results_session_status ON scan_results (session_id, status)`.execute(db);
  await sql`CREATE INDEX scan_results_session_seq ON scan_results (session_id, event_seq)`.execute(db);
  await sql`CREATE INDEX scan_results_job ON scan_results (job_id) WHERE job_id IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE cached_certs (
      grading_company text NOT NULL,
      cert_number text NOT NULL,
      source text NOT NULL,
      card jsonb NOT NULL,
      notes text NOT NULL,
      fetched_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (grading_company, cert_number)
    )`.execute(db);
  await sql`CREATE TABLE lanes (name text PRIMARY KEY, next_at timestamptz NOT NULL DEFAULT now())`.execute(db);
  await sql`INSERT INTO lanes (name) VALUES ('psa'), ('cgc'), ('tag')`.execute(db);
}

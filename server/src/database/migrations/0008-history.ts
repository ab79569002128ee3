import { sql, type Kysely } from "kysely";

/** The look-up history and pictures of a row, own photos, and an index to find a card's earlier look-ups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE scan_results
      ADD COLUMN look_ups jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN same_sides boolean NOT NULL DEFAULT false,
      ADD COLUMN reviewed_at timestamptz`.execute(db);
  await sql`ALTER TABLE cached_certs ADD COLUMN same_sides boolean NOT NULL DEFAULT false`.execute(db);
  await sql`ALTER TABLE user_profiles ADD COLUMN table_view text`.execute(db);
  // A number or company as typed can exceed the size of an index entry.
  await sql`
    CREATE INDEX scan_results_cert ON scan_results (grading_company, cert_number)
    WHERE length(grading_company) <= 100 AND length(cert_number) <= 100`.execute(db);
  await sql`DROP INDEX scan_results_session_states`.execute(db);
  await sql`CREATE INDEX scan_results_session_states ON scan_results (session_id, status, outcome)`.execute(db);
  await sql`
    CREATE TABLE photos (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      result_id bigint NOT NULL REFERENCES scan_results (id) ON DELETE CASCADE,
      bytes bytea NOT NULL,
      replaced_url text,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX photos_result ON photos (result_id)`.execute(db);
}

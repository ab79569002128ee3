import { sql, type Kysely } from "kysely";

/** Upstream calls per day, because counting a million calls takes too long for a request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE upstream_call_days (
      day date NOT NULL,
      endpoint text NOT NULL,
      calls integer NOT NULL,
      PRIMARY KEY (day, endpoint)
    )`.execute(db);
  // A fixed order prevents deadlocks between two nodes that log calls at the same time.
  await sql`
    CREATE FUNCTION note_call_days() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO upstream_call_days AS noted (day, endpoint, calls)
      SELECT (called_at AT TIME ZONE 'UTC')::date, endpoint, count(*) FROM new_calls GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (day, endpoint) DO UPDATE SET calls = noted.calls + EXCLUDED.calls;
      RETURN NULL;
    END $$`.execute(db);
  // Created before the sums: its lock blocks new calls until the migration commits.
  await sql`
    CREATE TRIGGER note_call_days AFTER INSERT ON upstream_calls
    REFERENCING NEW TABLE AS new_calls FOR EACH STATEMENT EXECUTE FUNCTION note_call_days()`.execute(db);
  await sql`
    INSERT INTO upstream_call_days (day, endpoint, calls)
    SELECT (called_at AT TIME ZONE 'UTC')::date, endpoint, count(*) FROM upstream_calls GROUP BY 1, 2`.execute(db);
}

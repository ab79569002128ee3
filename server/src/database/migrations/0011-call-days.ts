import { sql, type Kysely } from "kysely";

/** Calls to upstreams a day: a million calls are too many to be counted while somebody waits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE upstream_call_days (
      day date NOT NULL,
      endpoint text NOT NULL,
      calls integer NOT NULL,
      PRIMARY KEY (day, endpoint)
    )`.execute(db);
  // In one order, so that two nodes that note their calls at once do not wait for each other in a circle.
  await sql`
    CREATE FUNCTION note_call_days() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO upstream_call_days AS noted (day, endpoint, calls)
      SELECT (called_at AT TIME ZONE 'UTC')::date, endpoint, count(*) FROM new_calls GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (day, endpoint) DO UPDATE SET calls = noted.calls + EXCLUDED.calls;
      RETURN NULL;
    END $$`.execute(db);
  // Before the calls are summed up: from here on nobody notes one until the end of the migration.
  await sql`
    CREATE TRIGGER note_call_days AFTER INSERT ON upstream_calls
    REFERENCING NEW TABLE AS new_calls FOR EACH STATEMENT EXECUTE FUNCTION note_call_days()`.execute(db);
  await sql`
    INSERT INTO upstream_call_days (day, endpoint, calls)
    SELECT (called_at AT TIME ZONE 'UTC')::date, endpoint, count(*) FROM upstream_calls GROUP BY 1, 2`.execute(db);
}

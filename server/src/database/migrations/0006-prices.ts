import { sql, type Kysely } from "kysely";

/** Price quotes, the price state of each row, offers, and upstream calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE price_quotes (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      source text NOT NULL CHECK (source IN ('cardladder', 'cardsiq')),
      grading_company text NOT NULL,
      cert_number text NOT NULL,
      price jsonb,
      sales jsonb NOT NULL DEFAULT '[]',
      message text NOT NULL,
      fetched_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE INDEX price_quotes_newest ON price_quotes (source, grading_company, cert_number, fetched_at DESC)`.execute(
    db,
  );
  for (const source of ["cardladder", "cardsiq"]) {
    const column = (name: string) => sql.ref(`${source}_${name}`);
    await sql`
      ALTER TABLE scan_results
        ADD COLUMN ${column("state")} text,
        ADD COLUMN ${column("job")} uuid,
        ADD COLUMN ${column("message")} text,
        ADD COLUMN ${column("quote")} bigint,
        ADD COLUMN ${column("price")} jsonb,
        ADD COLUMN ${column("first_quote")} jsonb`.execute(db);
    await sql`
      CREATE INDEX ${sql.ref(`scan_results_${source}_job`)} ON scan_results (${column("job")})
      WHERE ${column("job")} IS NOT NULL`.execute(db);
    await sql`
      CREATE INDEX ${sql.ref(`scan_results_${source}_open`)} ON scan_results (${column("state")}, session_id)
      WHERE ${column("state")} IN ('pending', 'waiting')`.execute(db);
  }
  await sql`
    ALTER TABLE scan_sessions
      ADD COLUMN prices_pending integer NOT NULL DEFAULT 0,
      ADD COLUMN prices_waiting integer NOT NULL DEFAULT 0,
      ADD COLUMN offer_rule jsonb`.execute(db);
  // The price endpoint looks up a card by its name.
  await sql`
    CREATE INDEX known_certs_name ON cached_certs (grading_company, lower(card->>'itemName'), fetched_at DESC)`.execute(
    db,
  );
  await sql`INSERT INTO lanes (name) VALUES ('cardladder'), ('cardsiq')`.execute(db);
  await sql`INSERT INTO endpoints (name) VALUES ('cardladder'), ('cardsiq')`.execute(db);
  await sql`
    CREATE TABLE upstream_calls (
      endpoint text NOT NULL,
      called_at timestamptz NOT NULL,
      duration_ms integer NOT NULL,
      ending text NOT NULL,
      status integer
    )`.execute(db);
  await sql`CREATE INDEX upstream_calls_time ON upstream_calls (called_at)`.execute(db);
}

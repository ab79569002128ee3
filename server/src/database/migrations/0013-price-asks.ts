import { sql, type Kysely } from "kysely";

/** How many prices rows asked for, and how many of them took a call: what a price source is spared by what is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE price_asks (
      source text NOT NULL,
      asked_at timestamptz NOT NULL DEFAULT now(),
      prices integer NOT NULL,
      called integer NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX price_asks_time ON price_asks (asked_at)`.execute(db);
}

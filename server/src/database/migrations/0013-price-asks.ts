import { sql, type Kysely } from "kysely";

/** How many prices rows requested, and how many of these needed a call. The difference is what the cache saved. */
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

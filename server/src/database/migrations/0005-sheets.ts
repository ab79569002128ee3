import { sql, type Kysely } from "kysely";

/** A sheet's format and its checks, and the card data in its rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE scan_sessions
      ADD COLUMN delimiter text NOT NULL DEFAULT ',',
      ADD COLUMN accept_companies boolean NOT NULL DEFAULT false,
      ADD COLUMN is_growing boolean NOT NULL DEFAULT false`.execute(db);
  await sql`ALTER TABLE scan_results ADD COLUMN sheet_card jsonb`.execute(db);
}

import { sql, type Kysely } from "kysely";

/** How a sheet was written and judged, and what its rows say of their cards themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE scan_sessions
      ADD COLUMN delimiter text NOT NULL DEFAULT ',',
      ADD COLUMN accept_companies boolean NOT NULL DEFAULT false,
      ADD COLUMN is_growing boolean NOT NULL DEFAULT false`.execute(db);
  await sql`ALTER TABLE scan_results ADD COLUMN sheet_card jsonb`.execute(db);
}

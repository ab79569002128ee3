import { sql, type Kysely } from "kysely";
import { holdTables } from "../hold-tables.ts";

/**
 * Search by part of a row's text (docs/decisions/0048): a generated column, an index to scan a user's own rows, and a
 * trigram index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await holdTables(db);
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await sql`CREATE EXTENSION IF NOT EXISTS btree_gin`.execute(db);
  // The separator is FIELD_SEPARATOR of contract/src/api/search.ts. An index entry may have 2,704 bytes; 640 four-byte
  // letters and an id always fit. Search doesn't find text beyond that.
  await sql`
    ALTER TABLE scan_results ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (
      left(lower(
        cert_number || chr(31) || grading_company || chr(31) || coalesce(player_character, '') || chr(31) ||
        coalesce(brand_set, '') || chr(31) || coalesce(item_name, '')
      ), 640)) STORED`.execute(db);
  await sql`CREATE INDEX scan_results_user ON scan_results (user_id, id) INCLUDE (search_text)`.execute(db);
  await sql`CREATE INDEX scan_results_search ON scan_results USING gin (user_id, search_text gin_trgm_ops)`.execute(db);
}

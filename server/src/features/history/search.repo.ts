import { sql, type RawBuilder } from "kysely";
import { MAX_FOUND } from "@slabdesk/contract/api/search.ts";
import { PREPARED, type Database } from "../../database/connection.ts";
import { JOIN_VALUE_THEN, valueNow, type ValuesRecord } from "./lookup-history.repo.ts";
import { columnsOf, rowsOf } from "../../database/statements.ts";
import { pricesOf } from "../../database/row-prices.ts";
import { MOST_TEXT, ROW_TEXT } from "../../database/row-size.ts";
import { SHOWN_COLUMNS, type ShownRecord } from "../sessions/sessions.present.ts";

const SHOWN = columnsOf("r", SHOWN_COLUMNS);

export type FoundRecord = ShownRecord & ValuesRecord & { session_name: string; email: string; full_name: string };

/** A search of the rows of `owner`, a user id, or of all rows if it is null. */
export type Search = { owner: string | null; text: string };

function ownedBy({ owner }: Search) {
  return owner === null ? sql<boolean>`true` : sql<boolean>`user_id = ${owner}`;
}

/**
 * Returns the newest rows that contain the text, with their sessions and owners: up to `MAX_FOUND`, or fewer with much
 * text. First scans the `newest` rows. If that finds too few and older rows exist, searches all rows with the trigram
 * index. That query finds all matches before it takes the newest: otherwise, the planner would scan all rows.
 */
export async function findRows(db: Database, search: Search, newest: number): Promise<FoundRecord[]> {
  const { records, isAll } = await findNewestRows(db, search, newest);
  if (isAll) return records;
  const pattern = `%${search.text.replace(/[\\%_]/g, "\\$&")}%`;
  const far = sql`
    WITH far AS MATERIALIZED (
      SELECT id FROM scan_results WHERE ${ownedBy(search)} AND search_text LIKE lower(${pattern}::text)
    )
    SELECT id FROM far ORDER BY id DESC LIMIT ${MAX_FOUND}`;
  return (await withSessions(far).execute(db)).rows;
}

/** Searches only the `newest` rows. `isAll` is true if no older row belongs in the result. */
export async function findNewestRows(db: Database, search: Search, newest: number) {
  const total = sql`SELECT coalesce(sum(total_cards), 0) FROM scan_sessions WHERE ${ownedBy(search)}`;
  const [records, [count]] = await Promise.all([
    rowsOf<FoundRecord>(db)`${withSessions(near(search, newest))} ${PREPARED}`,
    rowsOf<{ has_more: boolean }>(db)`SELECT (${total}) > ${newest} AS has_more ${PREPARED}`,
  ]);
  return { records, isAll: records.length === MAX_FOUND || count?.has_more === false };
}

/** Uses strpos, which is faster than LIKE without trigrams. The subquery lowercases the text once, not for each row. */
function near(search: Search, newest: number) {
  return sql`
    SELECT id FROM (
      SELECT id, search_text FROM scan_results WHERE ${ownedBy(search)} ORDER BY id DESC LIMIT ${newest}
    ) AS newest WHERE strpos(search_text, (SELECT lower(${search.text}::text))) > 0 ORDER BY id DESC LIMIT ${MAX_FOUND}`;
}

/** The newest of the found rows, up to a total size of their text. */
function upToMuchText(found: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT id FROM (
      SELECT id, sum(text) OVER (ORDER BY id DESC) - text AS text_before
      FROM (SELECT id, ${ROW_TEXT} AS text FROM (${found}) AS found JOIN scan_results USING (id)) AS sizes
    ) AS sums WHERE text_before < ${MOST_TEXT}`;
}

function withSessions(found: RawBuilder<unknown>): RawBuilder<FoundRecord> {
  return sql<FoundRecord>`
    SELECT row.*, ${valueNow(sql`value_source`, sql`row.grading_company`, sql`row.cert_number`)} AS value_now
    FROM (
      SELECT ${SHOWN}, ${pricesOf("r")} AS prices, session_name, email, full_name, value.*
      FROM (${upToMuchText(found)}) AS found
      JOIN scan_results AS r ON r.id = found.id
      JOIN scan_sessions ON scan_sessions.id = r.session_id
      JOIN user_profiles ON user_profiles.id = r.user_id ${JOIN_VALUE_THEN}
    ) AS row
    ORDER BY row.id DESC`;
}

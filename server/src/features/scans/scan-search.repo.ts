import { sql, type RawBuilder } from "kysely";
import { MAX_FOUND } from "@slabdesk/contract/api/search.ts";
import type { Database } from "../../database/connection.ts";
import { VALUE_THEN, valueNow, type ValuesRecord } from "./scan-memory.repo.ts";
import type { RowRecord } from "./scans.present.ts";

/** Whose rows are searched, by user id; null = everybody's. */
export type SearchedOwner = string | null;
export type FoundRecord = RowRecord & ValuesRecord & { session_name: string; email: string; full_name: string };

function ownedBy(owner: SearchedOwner) {
  return owner === null ? sql<boolean>`true` : sql<boolean>`user_id = ${owner}`;
}

/** As typed but for the case: what LIKE would read as a wildcard stands for itself. */
function patternOf(text: string) {
  return sql<string>`lower(${`%${text.replace(/[\\%_]/g, "\\$&")}%`}::text)`;
}

/** More rows than `count`, as the sessions count them. */
function hasMoreThan(owner: SearchedOwner, count: number) {
  return sql<boolean>`(SELECT coalesce(sum(total_cards), 0) FROM scan_sessions WHERE ${ownedBy(owner)}) > ${count}`;
}

/**
 * The newest rows that contain the text, with their sessions and owners. The `newest` rows are compared from the newest
 * on, until there are enough; only if that does not suffice and there are more rows is everything asked for by
 * trigrams. There all matches are found before the newest are taken, as the planner would rather read every row
 * from the newest on were both one step.
 */
export async function findRows(
  db: Database,
  owner: SearchedOwner,
  text: string,
  newest: number,
): Promise<FoundRecord[]> {
  const found = sql`
    WITH near AS MATERIALIZED (${near(owner, text, newest)}), far AS MATERIALIZED (
      SELECT id FROM scan_results
      WHERE (SELECT count(*) FROM near) < ${MAX_FOUND} AND ${hasMoreThan(owner, newest)}
        AND ${ownedBy(owner)} AND search_text LIKE ${patternOf(text)}
    )
    SELECT id FROM near UNION (SELECT id FROM far ORDER BY id DESC LIMIT ${MAX_FOUND}) ORDER BY id DESC LIMIT ${MAX_FOUND}`;
  return listFound(db, found);
}

/** Those among the `newest` rows, for a text that the trigrams cannot serve. */
export async function findNewestRows(
  db: Database,
  owner: SearchedOwner,
  text: string,
  newest: number,
): Promise<{ records: FoundRecord[]; isAll: boolean }> {
  const records = await listFound(db, near(owner, text, newest));
  if (records.length === MAX_FOUND) return { records, isAll: true };
  const { rows } = await sql<{ more: boolean }>`SELECT ${hasMoreThan(owner, newest)} AS more`.execute(db);
  return { records, isAll: rows[0]?.more === false };
}

/** Row by row strpos compares sooner than LIKE; the trigrams serve LIKE alone. */
function near(owner: SearchedOwner, text: string, newest: number) {
  return sql`
    SELECT id FROM (
      SELECT id, search_text FROM scan_results WHERE ${ownedBy(owner)} ORDER BY id DESC LIMIT ${newest}
    ) AS newest WHERE strpos(search_text, lower(${text}::text)) > 0 ORDER BY id DESC LIMIT ${MAX_FOUND}`;
}

async function listFound(db: Database, found: RawBuilder<unknown>): Promise<FoundRecord[]> {
  const { rows } = await sql<FoundRecord>`
    SELECT row.*, ${valueNow(sql`value_source`, sql`row.grading_company`, sql`row.cert_number`)} AS value_now
    FROM (
      SELECT r.*, session_name, email, full_name, ${VALUE_THEN} FROM (${found}) AS found
      JOIN scan_results AS r ON r.id = found.id
      JOIN scan_sessions ON scan_sessions.id = r.session_id
      JOIN user_profiles ON user_profiles.id = r.user_id
    ) AS row
    ORDER BY row.id DESC`.execute(db);
  return rows;
}

import { sql, type RawBuilder } from "kysely";
import type pg from "pg";
import { MAX_FOUND } from "@slabdesk/contract/api/search.ts";
import type { Database } from "../../database/connection.ts";
import { JOIN_VALUE_THEN, valueNow, type ValuesRecord } from "./lookup-history.repo.ts";
import { pricesOf } from "../../database/row-prices.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";

export type SearchStore = { db: Database; pool: pg.Pool };
/** The user id of the owner whose rows are searched; null searches all rows. */
export type SearchedOwner = string | null;
export type FoundRecord = RowRecord & ValuesRecord & { session_name: string; email: string; full_name: string };

function ownedBy(owner: SearchedOwner) {
  return owner === null ? sql<boolean>`true` : sql<boolean>`user_id = ${owner}`;
}

/** A case-insensitive LIKE pattern that matches the text literally. */
function patternOf(text: string) {
  return sql<string>`lower(${`%${text.replace(/[\\%_]/g, "\\$&")}%`}::text)`;
}

/** Whether the owner has more than `count` rows, according to the sessions' totals. */
function hasMoreThan(owner: SearchedOwner, count: number) {
  return sql<boolean>`(SELECT coalesce(sum(total_cards), 0) FROM scan_sessions WHERE ${ownedBy(owner)}) > ${count}`;
}

/**
 * Returns the newest rows that contain the text, with their sessions and owners. First scans the `newest` rows. If that
 * finds too few and older rows exist, searches all rows with the trigram index. That query finds all matches before it
 * takes the newest: in a single step, the planner would scan all rows from the newest.
 */
export async function findRows(
  store: SearchStore,
  owner: SearchedOwner,
  text: string,
  newest: number,
): Promise<FoundRecord[]> {
  const { records, isAll } = await findNewestRows(store, owner, text, newest);
  if (isAll) return records;
  const far = sql`
    WITH far AS MATERIALIZED (
      SELECT id FROM scan_results WHERE ${ownedBy(owner)} AND search_text LIKE ${patternOf(text)}
    )
    SELECT id FROM far ORDER BY id DESC LIMIT ${MAX_FOUND}`;
  return (await withSessions(far).execute(store.db)).rows;
}

/** Searches only the `newest` rows. `isAll` is true if no older row belongs in the result. */
export async function findNewestRows(
  store: SearchStore,
  owner: SearchedOwner,
  text: string,
  newest: number,
): Promise<{ records: FoundRecord[]; isAll: boolean }> {
  const [records, [count]] = await Promise.all([
    ask<FoundRecord>(store, `rows near ${owner === null}`, withSessions(near(owner, text, newest))),
    ask<{ has_more: boolean }>(
      store,
      `more rows ${owner === null}`,
      sql`SELECT ${hasMoreThan(owner, newest)} AS has_more`,
    ),
  ]);
  return { records, isAll: records.length === MAX_FOUND || count?.has_more === false };
}

/** Uses prepared statements: planning these takes longer than running them. */
async function ask<Row extends object>(
  { db, pool }: SearchStore,
  name: string,
  query: RawBuilder<Row>,
): Promise<Row[]> {
  const { sql: text, parameters } = query.compile(db);
  const { rows } = await pool.query<Row>({ name: `search: ${name}`, text, values: [...parameters] });
  return rows;
}

/**
 * Uses strpos, which is faster than LIKE for a row-by-row scan without trigrams. The subquery lowercases the text once
 * instead of once per row.
 */
function near(owner: SearchedOwner, text: string, newest: number) {
  return sql`
    SELECT id FROM (
      SELECT id, search_text FROM scan_results WHERE ${ownedBy(owner)} ORDER BY id DESC LIMIT ${newest}
    ) AS newest WHERE strpos(search_text, (SELECT lower(${text}::text))) > 0 ORDER BY id DESC LIMIT ${MAX_FOUND}`;
}

function withSessions(found: RawBuilder<unknown>): RawBuilder<FoundRecord> {
  return sql<FoundRecord>`
    SELECT row.*, ${valueNow(sql`value_source`, sql`row.grading_company`, sql`row.cert_number`)} AS value_now
    FROM (
      SELECT r.*, ${pricesOf("r")} AS prices, session_name, email, full_name, value.*
      FROM (${found}) AS found
      JOIN scan_results AS r ON r.id = found.id
      JOIN scan_sessions ON scan_sessions.id = r.session_id
      JOIN user_profiles ON user_profiles.id = r.user_id ${JOIN_VALUE_THEN}
    ) AS row
    ORDER BY row.id DESC`;
}

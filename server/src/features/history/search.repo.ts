import { sql, type RawBuilder } from "kysely";
import { MAX_FOUND, ROW_SEPARATOR } from "@slabdesk/contract/api/search.ts";
import { PREPARED, type Database } from "../../database/connection.ts";
import { SEARCH_LOCK } from "../../database/lock-numbers.ts";
import { JOIN_VALUE_THEN, valueNow, type ValuesRecord } from "./lookup-history.repo.ts";
import { columnsOf, firstOf, rowsOf, valuesOf } from "../../database/statements.ts";
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

/** A chunk has the rows with ids from `CHUNK_ROWS` * chunk on. With more, PostgreSQL would compress their text. */
const CHUNK_ROWS = 16;
/** Enough for `MAX_FOUND` rows: each contains a match, unless its rows changed since, and sessions can share a number. */
const MOST_CHUNKS = 200;

/**
 * Returns the newest rows that contain the text, with their sessions and owners: up to `MAX_FOUND`, or fewer with much
 * text. First scans the `newest` rows. If that finds too few and older rows exist, searches the newest chunks with the
 * text, and the rows that changed since their session was indexed. A row that a chunk names must still contain the text.
 * OFFSET 0 keeps the planner from joining in another order, which would read all rows.
 */
export async function findRows(db: Database, search: Search, newest: number): Promise<FoundRecord[]> {
  const { records, isAll } = await findNewestRows(db, search, newest);
  if (isAll) return records;
  const pattern = `%${search.text.replace(/[\\%_]/g, "\\$&")}%`;
  const far = sql`
    WITH chunks AS MATERIALIZED (
      SELECT ids, text FROM search_chunks WHERE ${ownedBy(search)} AND text LIKE lower(${pattern}::text)
      ORDER BY chunk DESC LIMIT ${MOST_CHUNKS}
    ), changed AS MATERIALIZED (
      SELECT id AS session_id, indexed_seq FROM scan_sessions WHERE ${ownedBy(search)} AND event_seq > indexed_seq
    )
    (
      SELECT indexed.id FROM (
        SELECT rows.id FROM chunks CROSS JOIN LATERAL
          unnest(ids, string_to_array(text, ${ROW_SEPARATOR})) AS rows (id, search_text)
        WHERE ${contains(search)} ORDER BY rows.id DESC OFFSET 0
      ) AS indexed
      CROSS JOIN LATERAL (SELECT FROM scan_results AS r WHERE r.id = indexed.id AND ${contains(search)} OFFSET 0) AS found
      ORDER BY indexed.id DESC LIMIT ${MAX_FOUND}
    )
    UNION
    SELECT found.id FROM changed CROSS JOIN LATERAL (
      SELECT id FROM scan_results AS r
      WHERE r.session_id = changed.session_id AND r.event_seq > changed.indexed_seq AND ${contains(search)} OFFSET 0
    ) AS found
    ORDER BY id DESC LIMIT ${MAX_FOUND}`;
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
const contains = ({ text }: Search) => sql`strpos(search_text, (SELECT lower(${text}::text))) > 0`;

function near(search: Search, newest: number) {
  return sql`
    SELECT id FROM (
      SELECT id, search_text FROM scan_results WHERE ${ownedBy(search)} ORDER BY id DESC LIMIT ${newest}
    ) AS newest WHERE ${contains(search)} ORDER BY id DESC LIMIT ${MAX_FOUND}`;
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

/** Returns the sessions that changed since they were indexed. */
export function listNotIndexed(db: Database): Promise<string[]> {
  return valuesOf<string>(db)`SELECT id FROM scan_sessions WHERE event_seq > indexed_seq ORDER BY started_at`;
}

/**
 * Writes the chunks whose rows changed since the session was indexed. All is read by one statement, so no change gets
 * lost. Skips the session if another node is indexing, because it could write older texts later, and if it is being deleted.
 */
export async function indexSession(db: Database, sessionId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const turn = await firstOf<{ isOurs: boolean; exists: boolean }>(trx)`
      SELECT pg_try_advisory_xact_lock(${SEARCH_LOCK}) AS "isOurs",
        EXISTS (SELECT FROM scan_sessions WHERE id = ${sessionId} FOR KEY SHARE SKIP LOCKED) AS "exists"`;
    if (!turn?.isOurs || !turn.exists) return;
    await sql`
      WITH session AS MATERIALIZED (
        SELECT id, user_id, event_seq, indexed_seq FROM scan_sessions WHERE id = ${sessionId}
      ), changed AS MATERIALIZED (
        SELECT DISTINCT r.id / ${CHUNK_ROWS} AS chunk FROM session JOIN scan_results AS r ON r.session_id = session.id
        WHERE r.event_seq > session.indexed_seq
      ), written AS (
        INSERT INTO search_chunks (session_id, user_id, chunk, ids, text)
        SELECT session.id, session.user_id, chunk, rows.ids, rows.text FROM session CROSS JOIN changed CROSS JOIN LATERAL (
          SELECT array_agg(id ORDER BY id) AS ids,
            string_agg(replace(search_text, ${ROW_SEPARATOR}, ''), ${ROW_SEPARATOR} ORDER BY id) AS text
          FROM scan_results AS r
          WHERE r.session_id = session.id AND id BETWEEN chunk * ${CHUNK_ROWS} AND chunk * ${CHUNK_ROWS} + ${CHUNK_ROWS - 1}
        ) AS rows
        ON CONFLICT (session_id, chunk) DO UPDATE SET ids = EXCLUDED.ids, text = EXCLUDED.text
          WHERE search_chunks.text <> EXCLUDED.text OR search_chunks.ids <> EXCLUDED.ids
      )
      UPDATE scan_sessions SET indexed_seq = session.event_seq FROM session WHERE scan_sessions.id = session.id`.execute(
      trx,
    );
  });
}

import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { RowStatus } from "@slabdesk/contract/api/results.ts";
import type { sessionListQuerySchema } from "@slabdesk/contract/api/sessions.ts";
import { chunksOf } from "../../concurrency/chunks.ts";
import { rowsAfter } from "../../database/row-order.ts";
import { pricesOf } from "../../database/row-prices.ts";
import { MOST_TEXT, ROW_TEXT } from "../../database/row-size.ts";
import { PREPARED, type Database } from "../../database/connection.ts";
import { columnsOf, firstOf, numberOf, rowsOf } from "../../database/statements.ts";
import * as present from "./sessions.present.ts";

const SESSION = columnsOf("s", present.SESSION_COLUMNS);

export function findSessionRow(db: Database, sessionId: string): Promise<present.SessionRow | null> {
  return firstOf<present.SessionRow>(db)`SELECT ${SESSION} FROM scan_sessions AS s WHERE id = ${sessionId} ${PREPARED}`;
}

/** Returns the header of a session's sheet; it is empty if the session does not exist. */
export async function findHeader(db: Database, sessionId: string): Promise<string[]> {
  const session = db.selectFrom("scan_sessions").select("header").where("id", "=", sessionId);
  return (await session.executeTakeFirst())?.header ?? [];
}

export async function findSession(db: Database, sessionId: string): Promise<present.OwnedSession | null> {
  const [session] = await listSessionsOf(db, [sessionId]);
  return session ?? null;
}

/** Returns these sessions with their owners, in any order. */
export async function listSessionsOf(db: Database, sessionIds: readonly string[]): Promise<present.OwnedSession[]> {
  const sessions = await rowsOf<present.SessionRow & Pick<present.OwnedSession, "owner_email" | "owner_name">>(db)`
    SELECT ${SESSION}, owner.email AS owner_email, owner.full_name AS owner_name
    FROM scan_sessions AS s JOIN user_profiles AS owner ON owner.id = s.user_id
    WHERE s.id = ANY(${sessionIds}::uuid[]) ${PREPARED}`;
  return withCounts(db, sessions);
}

export async function hasOwnOffers(db: Database, sessionId: string): Promise<boolean> {
  const row = db.selectFrom("scan_results").select("id").where("session_id", "=", sessionId);
  return (await row.where("own_offer", "is not", null).limit(1).executeTakeFirst()) !== undefined;
}

/** Finds the session created with a user's idempotency key, and the hash of that request. */
export function findSessionByKey(db: Database, userId: string, idempotencyKey: string) {
  return firstOf<{ id: string; request_hash: string | null }>(db)`
    SELECT id, request_hash FROM scan_sessions
    WHERE user_id = ${userId} AND idempotency_key = ${idempotencyKey}`;
}

export type SessionListing = z.output<typeof sessionListQuerySchema>;

/** Names sort case-insensitively. */
const SORT_KEYS = {
  date: sql`started_at`,
  name: sql`lower(session_name)`,
  cards: sql`total_cards`,
  status: sql`status`,
} satisfies Record<SessionListing["sort"], unknown>;
const ORDERS = { asc: sql`ASC`, desc: sql`DESC` } satisfies Record<SessionListing["order"], unknown>;
const ANY = sql<boolean>`true`;

/** Lists a user's own sessions. `cursor` is the number of sessions to skip. */
export async function listSessions(db: Database, userId: string, listing: SessionListing) {
  const { filter, sheetFingerprint = null, sort, order, cursor, limit } = listing;
  const pattern = filter.trim() === "" ? null : `%${filter.trim().replace(/[\\%_]/g, "\\$&")}%`;
  const sessions = await rowsOf<present.SessionRow>(db)`
    SELECT ${SESSION} FROM scan_sessions AS s
    WHERE user_id = ${userId}
      AND ${pattern === null ? ANY : sql`(session_name ILIKE ${pattern} OR csv_filename ILIKE ${pattern})`}
      AND ${sheetFingerprint === null ? ANY : sql`sheet_fingerprint = ${sheetFingerprint}`}
    ORDER BY ${SORT_KEYS[sort]} ${ORDERS[order]}, id OFFSET ${cursor} LIMIT ${limit} ${PREPARED}`;
  return withCounts(db, sessions);
}

type RowTally = { session_id: string; status: RowStatus; outcome: OutcomeCode | null; count: number };

async function withCounts<Row extends present.SessionRow>(db: Database, sessions: readonly Row[]) {
  if (sessions.length === 0) return [];
  const ids = sessions.map((session) => session.id);
  const tallies = await tallyRows(db, ids);
  const isWaiting = tallies.some((tally) => tally.status === "waiting");
  const waits = isWaiting ? await listWaits(db, ids) : [];
  const arePricesWaiting = sessions.some((session) => session.prices_waiting > 0);
  const priceWaits = arePricesWaiting ? await listPriceWaits(db) : [];
  return sessions.map((session) => {
    const own = tallies.filter((tally) => tally.session_id === session.id);
    const failed = own.filter((tally) => tally.status === "error" || tally.status === "failed");
    return {
      ...session,
      counts: sumBy(own, (tally) => tally.status),
      causes: sumBy(failed, (tally) => tally.outcome ?? "unavailable"),
      waits: waits.filter((wait) => wait.session_id === session.id),
      priceWaits: session.prices_waiting > 0 ? priceWaits : [],
    };
  });
}

/** Reads the counts of settled rows from `scan_counters` and counts the others, except pending ones, which are the rest. */
function tallyRows(db: Database, sessionIds: readonly string[]): Promise<RowTally[]> {
  return rowsOf<RowTally>(db)`
    WITH counted AS (
      SELECT session_id, status, NULLIF(outcome, '') AS outcome, sum(cards) AS count FROM scan_counters
      WHERE session_id = ANY(${sessionIds}::uuid[]) GROUP BY session_id, status, outcome HAVING sum(cards) <> 0
      UNION ALL
      SELECT session_id, status, outcome, count(*) FROM scan_results
      WHERE session_id = ANY(${sessionIds}::uuid[]) AND status IN ('processing', 'queued', 'waiting') GROUP BY 1, 2, 3
    ), pending AS (
      SELECT id, total_cards - COALESCE((SELECT sum(count) FROM counted WHERE session_id = id), 0) AS count
      FROM scan_sessions WHERE id = ANY(${sessionIds}::uuid[])
    )
    SELECT * FROM counted UNION ALL SELECT id, 'pending', NULL, count FROM pending WHERE count <> 0 ${PREPARED}`;
}

function sumBy<K extends string>(tallies: readonly RowTally[], keyOf: (tally: RowTally) => K) {
  const sums: Partial<Record<K, number>> = {};
  for (const tally of tallies) sums[keyOf(tally)] = (sums[keyOf(tally)] ?? 0) + tally.count;
  return sums;
}

function listWaits(db: Database, sessionIds: readonly string[]): Promise<present.WaitRecord[]> {
  return rowsOf<present.WaitRecord>(db)`
    SELECT r.session_id, r.grading_company AS company, r.outcome, r.waiting_until AS until, count(*) AS count,
      COALESCE(min(r.processing_error), '') AS message,
      bool_or(r.grading_company = 'PSA' AND r.outcome = 'quota_exhausted' AND r.own_mode IS NULL
        AND s.processing_mode = 'api' AND page.paused_until IS NULL AND page.manually_paused_at IS NULL
        AND page.walled_at IS NULL) AS "canScrape"
    FROM scan_results AS r JOIN scan_sessions AS s ON s.id = r.session_id JOIN endpoints AS page ON page.name = 'psa-page'
    WHERE r.session_id = ANY(${sessionIds}::uuid[]) AND r.status = 'waiting'
    GROUP BY r.session_id, r.grading_company, r.outcome, r.waiting_until ORDER BY r.waiting_until`;
}

function listPriceWaits(db: Database): Promise<present.PriceWaitRecord[]> {
  return rowsOf<present.PriceWaitRecord>(db)`
    SELECT name AS source, paused_until AS until, COALESCE(pause_message, '') AS message, manually_paused_at, manually_paused_by FROM endpoints
    WHERE name IN ('cardladder', 'cardsiq') AND (paused_until > now() OR manually_paused_at IS NOT NULL)
    ORDER BY paused_until`;
}

/** These ids in ascending order, each once. */
export function inOrder(rowIds: readonly number[]): number[] {
  return [...new Set(rowIds)].toSorted((a, b) => a - b);
}

/** The most rows to read at once without delaying other requests: a small page and the row after it. */
export const ROWS_AT_ONCE = 251;
const SHOWN = sql`${columnsOf("r", present.SHOWN_COLUMNS)}, ${pricesOf("r")} AS prices`;

/**
 * Lists up to `limit` of a session's rows after the row `cursor`, or of those with these ids. Lists fewer if they have
 * much text; the next page begins after the last one. Returns none only if none are left.
 */
export function listRows(db: Database, sessionId: string, page: RowPage): Promise<present.ShownRecord[]> {
  return rowsOf<present.ShownRecord>(db)`${rowsOfPage(sessionId, page, SHOWN)} ${PREPARED}`;
}

export function listRowsWithCells(db: Database, sessionId: string, page: RowPage) {
  type WithCells = present.ShownRecord & Pick<present.RowRecord, "cells">;
  return rowsOf<WithCells>(db)`${rowsOfPage(sessionId, page, sql`${SHOWN}, r.cells`)} ${PREPARED}`;
}

export type RowPage = { cursor: number; limit: number; rowIds?: readonly number[] | null };

/**
 * Selects columns of a page's rows `r`, among them `session_id` and `id`, in one pass over the index: the sums of their
 * texts have its order, so nothing is sorted. The sums copy each row, so they come after the selection.
 */
export function rowsOfPage(sessionId: string, { cursor, limit, rowIds }: RowPage, columns: RawBuilder<unknown>) {
  const which = rowIds
    ? sql<boolean>`session_id = ${sessionId} AND id > ${cursor} AND id = ANY(${rowIds}::bigint[])`
    : rowsAfter(sessionId, cursor);
  return sql`
    SELECT * FROM (
      SELECT *, sum(row_text) OVER (ORDER BY session_id, id ROWS UNBOUNDED PRECEDING) - row_text AS text_before FROM (
        SELECT ${columns}, ${ROW_TEXT} AS row_text FROM scan_results AS r
        WHERE ${which} ORDER BY session_id, id LIMIT ${limit}
      ) AS sized
    ) AS summed WHERE text_before < ${MOST_TEXT} ORDER BY session_id, id`;
}

/** Returns the id of the last row that `listRows` lists; 0 if it lists none. */
export function findLastOfPage(db: Database, sessionId: string, page: RowPage): Promise<number> {
  return numberOf(db)`SELECT max(id) FROM (${rowsOfPage(sessionId, page, sql`r.session_id, r.id`)}) AS listed`;
}

export async function hasRowsAfter(db: Database, sessionId: string, rowId: number): Promise<boolean> {
  const next = firstOf(db)`
    SELECT id FROM scan_results WHERE ${rowsAfter(sessionId, rowId)} ORDER BY session_id, id LIMIT 1 ${PREPARED}`;
  return (await next) !== null;
}

/**
 * Returns rows that changed after event `since`, in event order: about `limit` rows, or fewer with much text, but always
 * whole events. `upTo` is the last event included if there are more.
 */
export async function listChangedRows(db: Database, sessionId: string, since: number, limit: number) {
  const changed = await db
    .selectFrom("scan_results")
    .select(["id", "event_seq", ROW_TEXT.as("text")])
    .where("session_id", "=", sessionId)
    .where("event_seq", ">", since)
    .orderBy("event_seq")
    .fetch(limit, "with ties")
    .modifyEnd(PREPARED)
    .execute();
  if (changed.length === 0) return { rows: [], upTo: null };
  const chosen = wholeEvents(changed);
  const upTo = chosen.length < limit && chosen.length === changed.length ? null : (chosen.at(-1)?.event_seq ?? since);
  const rows: present.ShownRecord[] = [];
  for (const some of chunksOf(chosen, ROWS_AT_ONCE)) {
    const ids = some.map(({ id }) => id);
    const shown = rowsOf<present.ShownRecord>(db)`
      SELECT ${SHOWN} FROM scan_results AS r WHERE id = ANY(${ids}::bigint[]) ${PREPARED}`;
    rows.push(...(await shown));
  }
  return { rows: rows.toSorted((a, b) => a.event_seq - b.event_seq || a.id - b.id), upTo };
}

/** The first of these changes, until they have enough text: at least one event, and no part of one. */
function wholeEvents<Change extends { event_seq: number; text: number }>(changes: readonly Change[]): Change[] {
  let text = 0;
  let last = changes[0]?.event_seq;
  return changes.filter((change) => {
    if (change.event_seq !== last && text < MOST_TEXT) last = change.event_seq;
    text += change.text;
    return change.event_seq === last;
  });
}

export function findRowById(db: Database, rowId: number): Promise<present.RowRecord | null> {
  return firstOf<present.RowRecord>(db)`
    SELECT r.*, ${pricesOf("r")} AS prices FROM scan_results AS r WHERE id = ${rowId}`;
}

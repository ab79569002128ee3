import { sql, type Insertable } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { SessionChange } from "@slabdesk/contract/api/sessions.ts";
import { PREPARED, type Database, type DatabaseTransaction } from "../../database/connection.ts";
import { MOST_TEXT, ROW_TEXT } from "../../database/row-size.ts";
import type { Channel } from "../../database/notifications.ts";
import type { Schema } from "../../database/schema.ts";
import { firstOf, numberOf, rowsOf, valuesOf } from "../../database/statements.ts";
import type { LookupJob } from "../../jobs/jobs.ts";
import type { SessionRecord } from "./sessions.present.ts";

/**
 * A session that `trx` has locked until its commit, its owner, and the number of the event for its changes. Everything
 * that changes a session's rows or counts takes one, so that it can't be called without the lock.
 */
export type LockedSession = { trx: DatabaseTransaction; sessionId: string; userId: string; eventSeq: number };

export type NewSession = Omit<Insertable<Schema["scan_sessions"]>, "header"> & { header: string[] };

/** The NOTIFY channel for session changes. The payload is the session id, sent at commit. */
const SCAN_CHANNEL: Channel = "scan_changes";

/** Inserts a session. Returns null if the user already used this idempotency key. */
export async function insertSession(trx: DatabaseTransaction, { header, ...session }: NewSession) {
  const inserted = await trx
    .insertInto("scan_sessions")
    .values({ ...session, header: JSON.stringify(header), event_seq: 1 })
    .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returning(["id", "event_seq"])
    .executeTakeFirst();
  return inserted ? { trx, sessionId: inserted.id, userId: session.user_id, eventSeq: inserted.event_seq } : null;
}

/** Adds to the size of a session's rows. Returns the size of all rows of the session's owner. */
export async function addSheetBytes({ trx, sessionId }: LockedSession, bytes: number): Promise<number> {
  const stored = await numberOf(trx)`
    WITH changed AS (
      UPDATE scan_sessions SET sheet_bytes = sheet_bytes + ${bytes} WHERE id = ${sessionId} RETURNING user_id
    )
    SELECT sum(sheet_bytes)::bigint + ${bytes}::bigint AS stored FROM scan_sessions
    WHERE user_id = (SELECT user_id FROM changed)`;
  return stored || bytes;
}

/** Changes to a session's counts of settled rows, pending prices and waiting prices. */
export type Tally = { rows?: number; pending?: number; waiting?: number };

const HAS_OPEN_ROWS = sql`EXISTS (
  SELECT FROM scan_results AS r WHERE r.session_id = s.id
    AND (r.status IN ('processing', 'queued', 'waiting') OR (r.status = 'pending' AND r.job_id IS NOT NULL)))`;

/**
 * Adds settled rows to the session's and the owner's counts, and price changes to the session's counts. Completes a
 * running session when no rows and no pending prices are left. A partial run ends when its own rows are settled; the
 * session is then stopped again. `completed_at` keeps the first completion. Reopened or removed rows count as negative.
 * Returns whether this call completed the session.
 */
export async function addProcessed({ trx, sessionId }: LockedSession, { rows = 0, pending = 0, waiting = 0 }: Tally) {
  const isAll = sql`s.processed_cards + ${rows} >= s.total_cards`;
  const isLast = sql`
    (s.status = 'processing' AND s.prices_pending + ${pending} = 0
      AND CASE WHEN ${isAll} THEN true WHEN s.is_partial THEN NOT ${HAS_OPEN_ROWS} ELSE false END)`;
  const session = await firstOf<{ completed: boolean; userId: string }>(trx)`
    WITH counted AS (
      UPDATE scan_sessions AS s SET processed_cards = s.processed_cards + ${rows},
        prices_pending = s.prices_pending + ${pending}, prices_waiting = s.prices_waiting + ${waiting},
        status = CASE WHEN NOT ${isLast} THEN s.status WHEN ${isAll} THEN 'completed' ELSE 'failed' END,
        is_partial = s.is_partial AND NOT ${isLast},
        completed_at = CASE WHEN ${isLast} THEN COALESCE(s.completed_at, now()) ELSE s.completed_at END
      FROM scan_sessions AS before WHERE s.id = ${sessionId} AND before.id = s.id
      RETURNING s.user_id, s.status, before.status AS status_before
    ), person AS (
      UPDATE user_profiles SET total_cards_processed = total_cards_processed + ${rows}
      FROM counted WHERE user_profiles.id = counted.user_id AND ${rows} <> 0
    )
    SELECT status = 'completed' AND status_before = 'processing' AS completed, user_id AS "userId" FROM counted ${PREPARED}`;
  if (!session) throw new Error(`Cannot update the counts of session ${sessionId}: it does not exist`);
  return session;
}

export async function addScan(trx: DatabaseTransaction, userId: string): Promise<void> {
  await sql`UPDATE user_profiles SET total_scans = total_scans + 1 WHERE id = ${userId}`.execute(trx);
}

/** A locked session and its columns that decide what a change may do. */
export type SessionEvent = LockedSession &
  Pick<SessionRecord, "status" | "is_partial" | "include_pricing" | "reuse_known" | "processing_mode">;

/**
 * Increments a session's event number and notifies followers at commit. Returns null if the session does not exist. The
 * session's row is locked until commit, so a reader that has seen event n has seen all events before it.
 */
export async function lockSession(trx: DatabaseTransaction, sessionId: string): Promise<SessionEvent | null> {
  const { rows } = await sql<Omit<SessionEvent, "trx" | "sessionId">>`
    UPDATE scan_sessions SET event_seq = event_seq + 1 WHERE id = ${sessionId}
    RETURNING event_seq AS "eventSeq", user_id AS "userId", status, is_partial, include_pricing, reuse_known, processing_mode,
      pg_notify(${SCAN_CHANNEL}, ${sessionId})`.execute(trx);
  return rows[0] ? { trx, sessionId, ...rows[0] } : null;
}

/** Maximum rows per event. One message contains at least one whole event, so this limits message size. */
const ROWS_AN_EVENT = 2_000;

/** Gives the session's rows that are inserted in `count` parts as many events. The first has the number of `locked`. */
export async function addEvents({ trx, sessionId }: LockedSession, count: number): Promise<void> {
  if (count <= 1) return;
  await sql`UPDATE scan_sessions SET event_seq = event_seq + ${count - 1} WHERE id = ${sessionId}`.execute(trx);
}

/** Splits a large change into several events, so that followers get it in parts. `rowIds`: what changed, if known. */
export async function splitEvent({ trx, sessionId, eventSeq }: LockedSession, rowIds?: readonly number[]) {
  if (rowIds !== undefined && rowIds.length <= 1) return;
  // With the session as well, PostgreSQL may read all of its rows.
  const isOne = rowIds ? sql`id = ANY(${rowIds}::bigint[])` : sql`session_id = ${sessionId}`;
  await sql`
    WITH numbered AS (
      SELECT id, ((sum(share) OVER (ORDER BY id) - share) / ${MOST_TEXT}::bigint)::int AS page FROM (
        SELECT id, greatest(${ROW_TEXT}, ${MOST_TEXT / ROWS_AN_EVENT}::int) AS share FROM scan_results
        WHERE ${isOne} AND event_seq = ${eventSeq}
      ) AS changed
    ), split AS (
      UPDATE scan_results AS r SET event_seq = r.event_seq + numbered.page FROM numbered
      WHERE r.id = numbered.id AND numbered.page > 0
    )
    UPDATE scan_sessions SET event_seq = event_seq + (SELECT max(page) FROM numbered)
    WHERE id = ${sessionId} AND (SELECT max(page) FROM numbered) > 0`.execute(trx);
}

function updateSession({ trx, sessionId }: LockedSession) {
  return trx.updateTable("scan_sessions").where("id", "=", sessionId);
}

/** Adds `count` to the session's total. A positive count also sets `is_growing`. Returns the new total. */
export async function addToTotal(locked: LockedSession, count: number): Promise<number> {
  const { total_cards } = await updateSession(locked)
    .set((eb) => ({ total_cards: eb("total_cards", "+", count), ...(count > 0 && { is_growing: true }) }))
    .returning("total_cards")
    .executeTakeFirstOrThrow();
  return total_cards;
}

/** Lists the unclaimed lookup and retry jobs of a session's rows. */
export function listOpenJobs(trx: DatabaseTransaction, sessionId: string): Promise<LookupJob[]> {
  return rowsOf<LookupJob>(trx)`
    SELECT DISTINCT job_id, grading_company, status FROM scan_results
    WHERE session_id = ${sessionId} AND job_id IS NOT NULL AND claimed_at IS NULL`;
}

export function listPriceJobs(trx: DatabaseTransaction, sessionId: string, source: PriceSourceName) {
  return valuesOf<string>(trx)`
    SELECT DISTINCT p.job_id AS id FROM result_prices AS p JOIN scan_results AS r ON r.id = p.result_id
    WHERE r.session_id = ${sessionId} AND p.source = ${source} AND p.job_id IS NOT NULL`;
}

/** Whether the rows that a stop left pending run too or stay pending. By default, this doesn't change. */
export type LeftRows = "run" | "stay" | "as before";

/**
 * Sets a session to `processing`, whatever its status. If it was not, or if `isRequestedAgain`, its lookups may probe a
 * wall again and its outage timer restarts. A completed session that rows are not added to keeps its
 * `completed_at`, so that a later retry doesn't change how long the run took.
 */
export async function restartSession(
  locked: LockedSession,
  { isRequestedAgain, leftRows }: { isRequestedAgain: boolean; leftRows: LeftRows },
): Promise<void> {
  const isNewRequest = sql`(${isRequestedAgain} OR status <> 'processing')`;
  const requested_at = sql<Date>`CASE WHEN ${isNewRequest} THEN clock_timestamp() ELSE requested_at END`;
  const completed_at = sql<Date | null>`CASE WHEN status <> 'failed' AND NOT is_growing THEN completed_at END`;
  const is_partial = {
    run: false,
    stay: sql<boolean>`is_partial OR status = 'failed'`,
    "as before": sql.ref<boolean>("is_partial"),
  }[leftRows];
  await updateSession(locked).set({ status: "processing", completed_at, requested_at, is_partial }).execute();
}

/** Whether only retried rows of a session run, and the rows that a stop left don't. */
export async function isPartial({ trx, sessionId }: LockedSession): Promise<boolean> {
  return (await firstOf(trx)`SELECT 1 FROM scan_sessions WHERE id = ${sessionId} AND is_partial`) !== null;
}

/** Allows a session's price requests to probe a wall again and restarts the outage timer. */
export async function noteRequestedAgain(locked: LockedSession): Promise<void> {
  const requested_at = sql<Date>`clock_timestamp()`;
  await updateSession(locked).set({ requested_at }).execute();
}

export async function setSessionFields(locked: LockedSession, change: SessionChange): Promise<void> {
  const { offerRule, sessionName: session_name } = change;
  const offer_rule = offerRule && JSON.stringify(offerRule);
  await updateSession(locked).set({ session_name, offer_rule }).execute();
}

/**
 * About the open jobs of a session `s`, without counting its rows. For lookups, these are all unsettled rows, unless all
 * of them wait. Prices of all sources count.
 */
const OPEN_JOBS = {
  lookup: sql`CASE WHEN s.status = 'processing' AND EXISTS (
      SELECT FROM scan_results WHERE session_id = s.id AND status IN ('pending', 'processing', 'queued')
    ) THEN s.total_cards - s.processed_cards ELSE 0 END`,
  retry: sql`CASE WHEN s.status = 'processing' THEN (
      SELECT count(*) FROM scan_results WHERE session_id = s.id AND status = 'queued'
    ) ELSE 0 END`,
  price: sql`s.prices_pending + s.prices_waiting`,
};

/**
 * Returns the place of a session's next job, or of a user's new session: the number of its owner's open jobs, without
 * the largest of the other sessions, so that a large session doesn't delay its owner's small one. So nobody has more
 * than about two jobs at a place. Call it before a change adds its rows.
 */
export function placeOfNext(
  db: Database,
  kind: keyof typeof OPEN_JOBS,
  { userId, sessionId }: { userId: string; sessionId?: string },
): Promise<number> {
  const isOther = sessionId === undefined ? sql`true` : sql`id <> ${sessionId}`;
  return numberOf(db)`
    SELECT (sum(open) - COALESCE(max(open) FILTER (WHERE ${isOther}), 0))::int
    FROM (SELECT s.id, ${OPEN_JOBS[kind]} AS open FROM scan_sessions AS s WHERE s.user_id = ${userId}) AS own`;
}

export function listRunning(db: Database, userId: string): Promise<string[]> {
  return valuesOf<string>(db)`SELECT id FROM scan_sessions WHERE user_id = ${userId} AND status = 'processing'`;
}

/** Stops a running session. Returns null if it is not running. */
export async function stopSession(trx: DatabaseTransaction, sessionId: string) {
  const stopped = await firstOf<{ eventSeq: number; userId: string; name: string }>(trx)`
    UPDATE scan_sessions SET status = 'failed', is_partial = false, completed_at = COALESCE(completed_at, now()),
      event_seq = event_seq + 1
    WHERE status = 'processing' AND id = ${sessionId}
    RETURNING event_seq AS "eventSeq", user_id AS "userId", session_name AS name, pg_notify(${SCAN_CHANNEL}, id::text)`;
  if (!stopped) return null;
  const { name, eventSeq, userId } = stopped;
  return { locked: { trx, sessionId, userId, eventSeq }, name };
}

/** Locks a session for deletion, after the transactions that change it. Returns its columns for the log; null if gone. */
export function takeSession(trx: DatabaseTransaction, sessionId: string) {
  return firstOf<{ sessionName: string }>(trx)`
    SELECT s.session_name AS "sessionName", s.user_id AS "ownerId", owner.email AS owner,
      s.total_cards AS "totalCards", s.processed_cards AS "processedCards"
    FROM scan_sessions AS s JOIN user_profiles AS owner ON owner.id = s.user_id
    WHERE s.id = ${sessionId} FOR UPDATE OF s`;
}

export function listOwnPhotos(trx: DatabaseTransaction, sessionId: string): Promise<string[]> {
  return valuesOf<string>(trx)`
    SELECT ${OWN_PHOTO_PATH} || photos.id AS url FROM photos JOIN scan_results AS r ON r.id = photos.result_id
    WHERE r.session_id = ${sessionId}`;
}

/** Deletes a locked session with all that belongs to it, and notifies followers. Returns the number of rows deleted. */
export async function deleteSession(trx: DatabaseTransaction, sessionId: string): Promise<number> {
  const rows = trx.deleteFrom("scan_results").where("session_id", "=", sessionId);
  const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
  // Delete the counters after the rows: the row triggers write to them.
  await trx.deleteFrom("scan_counters").where("session_id", "=", sessionId).execute();
  await trx.deleteFrom("scan_sessions").where("id", "=", sessionId).execute();
  await sql`SELECT pg_notify(${SCAN_CHANNEL}, ${sessionId})`.execute(trx);
  return Number(numDeletedRows);
}

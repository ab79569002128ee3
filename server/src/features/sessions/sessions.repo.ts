import { sql, type Transaction } from "kysely";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { ROW_STATUSES, SETTLED_STATUSES, type RowStatus } from "@slabdesk/contract/api/results.ts";
import type { SESSION_SORTS, SessionChange } from "@slabdesk/contract/api/sessions.ts";
import type { Delimiter } from "@slabdesk/contract/api/sheet-format.ts";
import type { Database } from "../../database/connection.ts";
import type { Channel } from "../../database/notifications.ts";
import type { Schema } from "../../database/schema.ts";
import type { PriceWaitRecord, RowRecord, SessionRecord, WaitRecord } from "./sessions.present.ts";

type Trx = Transaction<Schema>;
type NewSession = {
  userId: string;
  sessionName: string;
  csvFilename: string;
  header: string[];
  delimiter: Delimiter;
  totalCards: number;
  mode: SessionRecord["processing_mode"];
  includePricing: boolean;
  reuseKnown: boolean;
  acceptCompanies: boolean;
  idempotencyKey: string | null;
  requestHash: string | null;
};

/** The NOTIFY channel for session changes. The payload is the session id, sent at commit. */
export const SCAN_CHANNEL: Channel = "scan_changes";

/** Inserts a session. Returns null if the user already used this idempotency key. */
export async function insertSession(trx: Trx, session: NewSession): Promise<string | null> {
  const inserted = await trx
    .insertInto("scan_sessions")
    .values({
      user_id: session.userId,
      session_name: session.sessionName,
      csv_filename: session.csvFilename,
      header: JSON.stringify(session.header),
      delimiter: session.delimiter,
      total_cards: session.totalCards,
      processing_mode: session.mode,
      include_pricing: session.includePricing,
      reuse_known: session.reuseKnown,
      accept_companies: session.acceptCompanies,
      idempotency_key: session.idempotencyKey,
      request_hash: session.requestHash,
      event_seq: 1,
    })
    .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id ?? null;
}

/** Changes to a session's counts of settled rows, pending prices and waiting prices. */
export type Tally = { rows?: number; pending?: number; waiting?: number };

/**
 * Adds settled rows to the session's and the owner's counts, and price changes to the session's counts. Completes a
 * running session when no rows and no pending prices are left. Reopened or removed rows count as negative. Returns
 * whether this call completed the session.
 */
export async function addProcessed(
  trx: Trx,
  sessionId: string,
  { rows: count = 0, pending = 0, waiting = 0 }: Tally,
): Promise<{ completed: boolean; userId: string }> {
  const isLast = sql`
    (s.status = 'processing' AND s.processed_cards + ${count} >= s.total_cards AND s.prices_pending + ${pending} = 0)`;
  const { rows } = await sql<{ completed: boolean; userId: string }>`
    WITH counted AS (
      UPDATE scan_sessions AS s SET processed_cards = s.processed_cards + ${count},
        prices_pending = s.prices_pending + ${pending}, prices_waiting = s.prices_waiting + ${waiting},
        status = CASE WHEN ${isLast} THEN 'completed' ELSE s.status END,
        completed_at = CASE WHEN ${isLast} THEN now() ELSE s.completed_at END
      FROM scan_sessions AS before WHERE s.id = ${sessionId} AND before.id = s.id
      RETURNING s.user_id, s.status, before.status AS status_before
    ), person AS (
      UPDATE user_profiles SET total_cards_processed = total_cards_processed + ${count}
      FROM counted WHERE user_profiles.id = counted.user_id AND ${count} <> 0
    )
    SELECT status = 'completed' AND status_before = 'processing' AS completed, user_id AS "userId" FROM counted`.execute(
    trx,
  );
  const [session] = rows;
  if (!session) throw new Error(`Cannot update the counts of session ${sessionId}: it does not exist`);
  return session;
}

export async function countSettled(trx: Trx, sessionId: string): Promise<number> {
  const { settled } = await trx
    .selectFrom("scan_results")
    .select((eb) => eb.fn.countAll<number>().as("settled"))
    .where("session_id", "=", sessionId)
    .where("status", "in", SETTLED_STATUSES)
    .executeTakeFirstOrThrow();
  return settled;
}

export async function addScan(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable("user_profiles")
    .set((eb) => ({ total_scans: eb("total_scans", "+", 1) }))
    .where("id", "=", userId)
    .execute();
}

export type SessionEvent = { eventSeq: number; status: SessionRecord["status"]; includePricing: boolean };

/**
 * Increments a session's event number and notifies followers at commit. Returns null if the session does not exist. The
 * session's row lock is held until commit, so events become visible in order: a reader that has seen event n has seen
 * all events before it.
 */
export async function nextEventSeq(trx: Trx, sessionId: string): Promise<SessionEvent | null> {
  const { rows } = await sql<SessionEvent>`
    UPDATE scan_sessions SET event_seq = event_seq + 1 WHERE id = ${sessionId}
    RETURNING event_seq AS "eventSeq", status, include_pricing AS "includePricing", pg_notify(${SCAN_CHANNEL}, ${sessionId})`.execute(
    trx,
  );
  return rows[0] ?? null;
}

/** Maximum rows per event. One message contains at least one whole event, so this limits message size. */
const ROWS_AN_EVENT = 2_000;

/** Splits a large change into several events, so that followers receive it in parts. */
export async function spreadEvent(trx: Trx, sessionId: string, eventSeq: number): Promise<void> {
  await sql`
    WITH numbered AS (
      SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${ROWS_AN_EVENT}::int AS page FROM scan_results
      WHERE session_id = ${sessionId} AND event_seq = ${eventSeq}
    ), spread AS (
      UPDATE scan_results AS r SET event_seq = r.event_seq + numbered.page FROM numbered
      WHERE r.id = numbered.id AND numbered.page > 0
    )
    UPDATE scan_sessions SET event_seq = event_seq + (SELECT max(page) FROM numbered)
    WHERE id = ${sessionId} AND (SELECT max(page) FROM numbered) > 0`.execute(trx);
}

/**
 * Adds `count` (negative for removed rows) to the session's total. A positive count also sets `is_growing`. Returns the
 * new total.
 */
export async function addToTotal(trx: Trx, sessionId: string, count: number): Promise<number> {
  const { total_cards } = await trx
    .updateTable("scan_sessions")
    .set((eb) => ({ total_cards: eb("total_cards", "+", count), ...(count > 0 && { is_growing: true }) }))
    .where("id", "=", sessionId)
    .returning("total_cards")
    .executeTakeFirstOrThrow();
  return total_cards;
}

/** Sets a session to `processing`, whatever its status. */
export async function restartSession(
  trx: Trx,
  sessionId: string,
): Promise<Pick<SessionRecord, "processing_mode" | "reuse_known" | "include_pricing">> {
  return trx
    .updateTable("scan_sessions")
    .set({ status: "processing", completed_at: null })
    .where("id", "=", sessionId)
    .returning(["processing_mode", "reuse_known", "include_pricing"])
    .executeTakeFirstOrThrow();
}

/** Updates only the fields that are given. */
export async function changeSession(trx: Trx, sessionId: string, change: SessionChange): Promise<void> {
  const { offerRule, sessionName } = change;
  await trx
    .updateTable("scan_sessions")
    .set({
      ...(sessionName !== undefined && { session_name: sessionName }),
      ...(offerRule !== undefined && { offer_rule: offerRule && JSON.stringify(offerRule) }),
    })
    .where("id", "=", sessionId)
    .execute();
}

/** Stops all running sessions of a user, or the one given. Returns those it stopped. */
export async function stopSessions(
  trx: Trx,
  which: { userId: string } | { sessionId: string },
): Promise<{ id: string; session_name: string; event_seq: number }[]> {
  const stopped = await trx
    .updateTable("scan_sessions")
    .set((eb) => ({ status: "failed" as const, completed_at: sql<Date>`now()`, event_seq: eb("event_seq", "+", 1) }))
    .where("status", "=", "processing")
    .where((eb) => ("userId" in which ? eb("user_id", "=", which.userId) : eb("id", "=", which.sessionId)))
    .returning(["id", "session_name", "event_seq"])
    .execute();
  for (const { id } of stopped) await sql`SELECT pg_notify(${SCAN_CHANNEL}, ${id})`.execute(trx);
  return stopped;
}

export async function findSession(db: Database, sessionId: string): Promise<SessionRecord | null> {
  const [session] = await withCounts(
    db,
    await db.selectFrom("scan_sessions").selectAll().where("id", "=", sessionId).execute(),
  );
  return session ?? null;
}

/**
 * Returns these sessions in any order. Reads settled rows from the counters (`scan_counters`) and counts only the
 * unsettled rows directly.
 */
export async function listSessionsOf(db: Database, sessionIds: readonly string[]): Promise<SessionRecord[]> {
  const sessions = await db
    .selectFrom("scan_sessions")
    .selectAll()
    .where(sql<boolean>`id = ANY(${sessionIds}::uuid[])`)
    .execute();
  return withCounts(db, sessions, tallyFromCounters);
}

export async function hasSession(db: Database, sessionId: string): Promise<boolean> {
  return (
    (await db.selectFrom("scan_sessions").select("id").where("id", "=", sessionId).executeTakeFirst()) !== undefined
  );
}

/** Finds the session created with a user's idempotency key, and the hash of that request. */
export async function findSessionByKey(
  db: Database,
  userId: string,
  idempotencyKey: string,
): Promise<{ id: string; request_hash: string | null } | null> {
  const row = await db
    .selectFrom("scan_sessions")
    .select(["id", "request_hash"])
    .where("user_id", "=", userId)
    .where("idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  return row ?? null;
}

export type SessionListing = {
  filter: string;
  sort: (typeof SESSION_SORTS)[number];
  order: "asc" | "desc";
  cursor: number;
  limit: number;
};

/** Names sort case-insensitively. */
const SORT_KEYS = {
  date: sql`started_at`,
  name: sql`lower(session_name)`,
  cards: sql`total_cards`,
  status: sql`status`,
} satisfies Record<SessionListing["sort"], unknown>;

/** Lists a user's own sessions. `cursor` is the number of sessions to skip. */
export async function listSessions(db: Database, userId: string, listing: SessionListing): Promise<SessionRecord[]> {
  let query = db.selectFrom("scan_sessions").selectAll().where("user_id", "=", userId);
  if (listing.filter.trim() !== "") {
    const pattern = `%${listing.filter.trim().replace(/[\\%_]/g, "\\$&")}%`;
    query = query.where((eb) => eb.or([eb("session_name", "ilike", pattern), eb("csv_filename", "ilike", pattern)]));
  }
  const sessions = await query
    .orderBy(SORT_KEYS[listing.sort], listing.order)
    .orderBy("id")
    .offset(listing.cursor)
    .limit(listing.limit)
    .execute();
  return withCounts(db, sessions);
}

/** The number of a session's rows per status and outcome. */
type RowTally = { session_id: string; status: RowStatus; outcome: OutcomeCode | null; count: number };

async function withCounts(
  db: Database,
  sessions: Omit<SessionRecord, "counts" | "causes" | "waits" | "priceWaits">[],
  tally = tallyRows,
): Promise<SessionRecord[]> {
  if (sessions.length === 0) return [];
  const ids = sessions.map((session) => session.id);
  const tallies = await tally(db, ids);
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

function tallyRows(db: Database, sessionIds: readonly string[]): Promise<RowTally[]> {
  return db
    .selectFrom("scan_results")
    .select((eb) => ["session_id", "status", "outcome", eb.fn.countAll<number>().as("count")])
    .where("session_id", "in", sessionIds)
    .groupBy(["session_id", "status", "outcome"])
    .execute();
}

async function tallyFromCounters(db: Database, sessionIds: readonly string[]): Promise<RowTally[]> {
  const unsettled = ROW_STATUSES.filter((status) => !SETTLED_STATUSES.some((settled) => settled === status));
  const { rows } = await sql<RowTally>`
    SELECT session_id, status, NULLIF(outcome, '') AS outcome, sum(cards) AS count FROM scan_counters
    WHERE session_id = ANY(${sessionIds}::uuid[]) GROUP BY session_id, status, outcome HAVING sum(cards) <> 0
    UNION ALL
    SELECT session_id, status, outcome, count(*) FROM scan_results
    WHERE session_id = ANY(${sessionIds}::uuid[]) AND status = ANY(${unsettled}::text[])
    GROUP BY session_id, status, outcome`.execute(db);
  return rows;
}

function sumBy<T extends { count: number }, K extends string>(
  tallies: readonly T[],
  keyOf: (tally: T) => K,
): Partial<Record<K, number>> {
  const sums: Partial<Record<K, number>> = {};
  for (const tally of tallies) sums[keyOf(tally)] = (sums[keyOf(tally)] ?? 0) + tally.count;
  return sums;
}

async function listWaits(db: Database, sessionIds: readonly string[]): Promise<WaitRecord[]> {
  const { rows } = await sql<WaitRecord>`
    SELECT session_id, grading_company, outcome, waiting_until, count(*) AS count, min(processing_error) AS message
    FROM scan_results WHERE session_id = ANY(${sessionIds}::uuid[]) AND status = 'waiting'
    GROUP BY session_id, grading_company, outcome, waiting_until ORDER BY waiting_until`.execute(db);
  return rows;
}

async function listPriceWaits(db: Database): Promise<PriceWaitRecord[]> {
  const { rows } = await sql<PriceWaitRecord>`
    SELECT name AS source, paused_until AS until, COALESCE(pause_message, '') AS message, manually_paused_at, manually_paused_by FROM endpoints
    WHERE name IN ('cardladder', 'cardsiq') AND (paused_until > now() OR manually_paused_at IS NOT NULL)
    ORDER BY paused_until`.execute(db);
  return rows;
}

/** Returns a page of a session's rows, oldest first, after the row with id `cursor`. */
export async function listRows(db: Database, sessionId: string, cursor: number, limit: number): Promise<RowRecord[]> {
  return db
    .selectFrom("scan_results")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("id", ">", cursor)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Returns the session's rows with these ids, oldest first. */
export async function listRowsOf(db: Database, sessionId: string, rowIds: readonly number[]): Promise<RowRecord[]> {
  return db
    .selectFrom("scan_results")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("id", "in", rowIds)
    .orderBy("id")
    .execute();
}

/**
 * Returns the rows that changed after event `since`, in event order. Returns about `limit` rows, but always whole
 * events.
 */
export async function listChangedRows(
  db: Database,
  sessionId: string,
  since: number,
  limit: number,
): Promise<RowRecord[]> {
  const rows = await db
    .selectFrom("scan_results")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("event_seq", ">", since)
    .orderBy("event_seq")
    .fetch(limit, "with ties")
    .execute();
  // WITH TIES orders by event only; rows within an event have no defined order.
  return rows.toSorted((a, b) => a.event_seq - b.event_seq || a.id - b.id);
}

/** Finds a row that the viewer may see: their own, or any row for an admin. */
export async function findRow(
  db: Database,
  rowId: number,
  viewer: { id: string; role: string },
): Promise<RowRecord | null> {
  let query = db.selectFrom("scan_results").selectAll().where("id", "=", rowId);
  if (viewer.role !== "admin") query = query.where("user_id", "=", viewer.id);
  return (await query.executeTakeFirst()) ?? null;
}

/** Swaps a row's front and back pictures. Returns null unless both exist and differ. */
export async function swapImages(trx: Trx, rowId: number, eventSeq: number): Promise<RowRecord | null> {
  const row = await trx
    .updateTable("scan_results")
    .set((eb) => ({
      front_image_url: eb.ref("back_image_url"),
      back_image_url: eb.ref("front_image_url"),
      event_seq: eventSeq,
    }))
    .where("id", "=", rowId)
    .where("front_image_url", "<>", "N/A")
    .where("back_image_url", "<>", "N/A")
    .whereRef("front_image_url", "<>", "back_image_url")
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

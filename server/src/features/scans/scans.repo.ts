import { sql, type Transaction } from "kysely";
import type { CardSource } from "@slabdesk/contract/api/cards.ts";
import { SETTLED_STATUSES, type RowStatus } from "@slabdesk/contract/api/results.ts";
import type { SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import type { Database } from "../../database/connection.ts";
import type { Schema } from "../../database/schema.ts";
import type { RowRecord, SessionRecord } from "./scans.present.ts";
import type { NewRow, Settlement } from "./scans.rows.ts";

type Trx = Transaction<Schema>;
type NewSession = {
  userId: string;
  sessionName: string;
  csvFilename: string;
  header: string[];
  totalCards: number;
  mode: SessionRecord["processing_mode"];
  includePricing: boolean;
  reuseKnown: boolean;
  idempotencyKey: string | null;
  requestHash: string | null;
};

/** Notifications carry the session's id on this channel, at the commit of each change. */
export const SCAN_CHANNEL = "scan_changes";

/** Rows that may still be settled by their job. */
const OPEN_STATUSES = ["pending", "processing"] as const satisfies readonly RowStatus[];
const ROWS_PER_INSERT = 2_000;

/** Inserts a session; null when this user has sent the same idempotency key before. */
export async function insertSession(trx: Trx, session: NewSession): Promise<string | null> {
  const inserted = await trx
    .insertInto("scan_sessions")
    .values({
      user_id: session.userId,
      session_name: session.sessionName,
      csv_filename: session.csvFilename,
      header: JSON.stringify(session.header),
      total_cards: session.totalCards,
      processing_mode: session.mode,
      include_pricing: session.includePricing,
      reuse_known: session.reuseKnown,
      idempotency_key: session.idempotencyKey,
      request_hash: session.requestHash,
      event_seq: 1,
    })
    .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id ?? null;
}

/** Inserts a sheet's rows in their order, some thousands a statement. */
export async function insertRows(trx: Trx, sessionId: string, userId: string, rows: readonly NewRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const chunk = JSON.stringify(rows.slice(at, at + ROWS_PER_INSERT));
    await sql`
      INSERT INTO scan_results (
        session_id, user_id, event_seq, processed_at, line, cells, sheet_notes, status, outcome, job_id, cert_number,
        grading_company, price, price_text, customer_price, notes, processing_error, warnings, item_name,
        player_character, year, language, brand_set, card_number, grade, sport_game, variety, grader_notes, tag_score,
        front_image_url, back_image_url, cert_url, inventory_name)
      SELECT ${sessionId}, ${userId}, 1, CASE WHEN status = 'error' THEN now() END, line, cells, sheet_notes, status,
        outcome, job_id, cert_number, grading_company, price, price_text, customer_price, notes, processing_error,
        warnings, item_name, player_character, year, language, brand_set, card_number, grade, sport_game, variety,
        grader_notes, tag_score, front_image_url, back_image_url, cert_url, inventory_name
      FROM jsonb_to_recordset(${chunk}::jsonb) AS sheet (
        line integer, cells jsonb, sheet_notes text, status text, outcome text, job_id uuid, cert_number text,
        grading_company text, price numeric, price_text text, customer_price text, notes text, processing_error text,
        warnings jsonb, item_name text, player_character text, year text, language text, brand_set text,
        card_number text, grade text, sport_game text, variety text, grader_notes text, tag_score text,
        front_image_url text, back_image_url text, cert_url text, inventory_name text)
      ORDER BY line`.execute(trx);
  }
}

/** Fills pending rows whose card was looked up in the last `days` days: one statement, no call. */
export async function fillKnownRows(
  trx: Trx,
  sessionId: string,
  sources: readonly CardSource[],
  days: number,
): Promise<void> {
  await sql`
    UPDATE scan_results AS r
    SET status = 'completed', outcome = 'found', source = 'known', job_id = NULL, processed_at = now(),
      item_name = k.card->>'itemName', player_character = k.card->>'player', year = k.card->>'year',
      language = k.card->>'language', brand_set = k.card->>'brand', card_number = k.card->>'cardNumber',
      grade = k.card->>'grade', sport_game = k.card->>'sport', variety = k.card->>'variety',
      grader_notes = k.card->>'graderNotes', tag_score = COALESCE(k.card->>'tagScore', 'N/A'),
      front_image_url = k.card->>'imageUrl', back_image_url = k.card->>'imageUrlBack', cert_url = k.card->>'certUrl',
      inventory_name = k.card->>'inventoryName',
      notes = concat_ws(' · ', NULLIF(r.sheet_notes, ''), NULLIF(k.notes, ''))
    FROM known_certs AS k
    WHERE r.session_id = ${sessionId} AND r.status = 'pending'
      AND k.grading_company = r.grading_company AND k.cert_number = r.cert_number
      AND k.source = ANY(${sources}) AND k.fetched_at > now() - make_interval(days => ${days})`.execute(trx);
}

/** The jobs that a session's pending rows wait for, in the order of the sheet. */
export async function listPendingJobs(
  trx: Trx,
  sessionId: string,
): Promise<{ job_id: string; grading_company: string }[]> {
  const { rows } = await sql<{ job_id: string; grading_company: string }>`
    SELECT job_id, grading_company FROM scan_results
    WHERE session_id = ${sessionId} AND status = 'pending'
    GROUP BY job_id, grading_company ORDER BY min(id)`.execute(trx);
  return rows;
}

/**
 * Counts settled rows into the session and its owner, ends the session when none is left, and tells whoever listens.
 * `completed` is true for the one call that ended it.
 */
export async function addProcessed(
  trx: Trx,
  sessionId: string,
  count: number,
): Promise<{ completed: boolean; userId: string }> {
  const session = await trx
    .updateTable("scan_sessions")
    .set((eb) => ({
      processed_cards: eb("processed_cards", "+", count),
      status: sql`CASE WHEN status = 'processing' AND processed_cards + ${count} >= total_cards THEN 'completed' ELSE status END`,
      completed_at: sql`CASE WHEN status = 'processing' AND processed_cards + ${count} >= total_cards THEN now() ELSE completed_at END`,
    }))
    .where("id", "=", sessionId)
    .returning(["user_id", "status"])
    .executeTakeFirstOrThrow();
  if (count > 0) {
    await trx
      .updateTable("user_profiles")
      .set((eb) => ({ total_cards_processed: eb("total_cards_processed", "+", count) }))
      .where("id", "=", session.user_id)
      .execute();
  }
  await notify(trx, sessionId);
  return { completed: count > 0 && session.status === "completed", userId: session.user_id };
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

/**
 * Takes the next number of a session's event stream. The row lock it takes is held to the commit, so numbers appear
 * in their order and a reader that has seen n misses nothing below n.
 */
export async function nextEventSeq(
  trx: Trx,
  sessionId: string,
): Promise<{ eventSeq: number; status: SessionRecord["status"]; mode: SessionRecord["processing_mode"] } | null> {
  const session = await trx
    .updateTable("scan_sessions")
    .set((eb) => ({ event_seq: eb("event_seq", "+", 1) }))
    .where("id", "=", sessionId)
    .returning(["event_seq", "status", "processing_mode"])
    .executeTakeFirst();
  return session ? { eventSeq: session.event_seq, status: session.status, mode: session.processing_mode } : null;
}

/** Moves a job's open rows to `processing` or back to `pending`; returns the certificate number they are about, null when no row is open. */
export async function moveOpenRows(
  trx: Trx,
  jobId: string,
  to: "processing" | "pending",
  eventSeq: number,
): Promise<string | null> {
  const row = await trx
    .updateTable("scan_results")
    .set({ status: to, event_seq: eventSeq })
    .where("job_id", "=", jobId)
    .where("status", "in", OPEN_STATUSES)
    .returning("cert_number")
    .executeTakeFirst();
  return row?.cert_number ?? null;
}

/** Settles a job's open rows; returns how many there were. Called twice, the second call finds none. */
export async function settleRows(
  trx: Trx,
  jobId: string,
  eventSeq: number,
  { notes, ...settlement }: Settlement,
): Promise<number> {
  const rows = await trx
    .updateTable("scan_results")
    .set({
      ...settlement,
      ...(notes === null ? {} : { notes: noteWithSheet(notes, settlement.status) }),
      event_seq: eventSeq,
      job_id: null,
      processed_at: sql`now()`,
    })
    .where("job_id", "=", jobId)
    .where("status", "in", OPEN_STATUSES)
    .returning("id")
    .execute();
  return rows.length;
}

/** A note about a found card stands behind the sheet's own; an error's note stands alone, as SPEC says. The sheet's stays in its column. */
function noteWithSheet(notes: string, status: Settlement["status"]) {
  return status === "completed" ? sql<string>`concat_ws(' · ', nullif(sheet_notes, ''), ${notes}::text)` : notes;
}

/** The sessions' rows that a job may still settle; false when it has nothing left to do. */
export async function hasOpenRows(db: Database, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom("scan_results")
    .select("id")
    .where("job_id", "=", jobId)
    .where("status", "in", OPEN_STATUSES)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isRunning(db: Database, sessionId: string): Promise<boolean> {
  const row = await db.selectFrom("scan_sessions").select("status").where("id", "=", sessionId).executeTakeFirst();
  return row?.status === "processing";
}

/** Ends running sessions as stopped; all of a user's or the one named. Returns those that it stopped. */
export async function stopSessions(trx: Trx, which: { userId: string } | { sessionId: string }): Promise<string[]> {
  const stopped = await trx
    .updateTable("scan_sessions")
    .set((eb) => ({ status: "failed" as const, completed_at: sql<Date>`now()`, event_seq: eb("event_seq", "+", 1) }))
    .where("status", "=", "processing")
    .where((eb) => ("userId" in which ? eb("user_id", "=", which.userId) : eb("id", "=", which.sessionId)))
    .returning("id")
    .execute();
  for (const { id } of stopped) await notify(trx, id);
  return stopped.map((session) => session.id);
}

export async function notify(trx: Trx, sessionId: string): Promise<void> {
  await sql`SELECT pg_notify(${SCAN_CHANNEL}, ${sessionId})`.execute(trx);
}

export async function findSession(db: Database, sessionId: string): Promise<SessionRecord | null> {
  const [session] = await withCounts(
    db,
    await db.selectFrom("scan_sessions").selectAll().where("id", "=", sessionId).execute(),
  );
  return session ?? null;
}

/** The session that a user's key made, and the hash of the request that made it. */
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

/** Names are sorted as people read them: capitals beside small letters. */
const SORT_KEYS = {
  date: sql`started_at`,
  name: sql`lower(session_name)`,
  cards: sql`total_cards`,
  status: sql`status`,
} satisfies Record<SessionListing["sort"], unknown>;

/** A user's own sessions; `cursor` is how many to leave out. */
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

async function withCounts(db: Database, sessions: Omit<SessionRecord, "counts">[]): Promise<SessionRecord[]> {
  if (sessions.length === 0) return [];
  const ids = sessions.map((session) => session.id);
  const tallies = await db
    .selectFrom("scan_results")
    .select((eb) => ["session_id", "status", eb.fn.countAll<number>().as("count")])
    .where("session_id", "in", ids)
    .groupBy(["session_id", "status"])
    .execute();
  return sessions.map((session) => {
    const own = tallies.filter((tally) => tally.session_id === session.id);
    return { ...session, counts: Object.fromEntries(own.map((tally) => [tally.status, tally.count])) };
  });
}

/** A page of a session's rows, oldest first, after the row of id `cursor`. */
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

/** Rows that changed after event `since`, in the order they changed; about `limit`, never part of one event. */
export async function listChangedRows(
  db: Database,
  sessionId: string,
  since: number,
  limit: number,
): Promise<RowRecord[]> {
  return db
    .selectFrom("scan_results")
    .selectAll()
    .where("session_id", "=", sessionId)
    .where("event_seq", ">", since)
    .orderBy("event_seq")
    .fetch(limit, "with ties")
    .execute();
}

/** One row that the viewer may see: their own, or any for an admin. */
export async function findRow(
  db: Database,
  rowId: number,
  viewer: { id: string; role: string },
): Promise<RowRecord | null> {
  let query = db.selectFrom("scan_results").selectAll().where("id", "=", rowId);
  if (viewer.role !== "admin") query = query.where("user_id", "=", viewer.id);
  return (await query.executeTakeFirst()) ?? null;
}

/** Exchanges a row's pictures, when both exist and differ; null when they don't. */
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

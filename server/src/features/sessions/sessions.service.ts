import { setImmediate } from "node:timers/promises";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanEvent, ScanSession, SessionChange } from "@slabdesk/contract/api/sessions.ts";
import type { Database } from "../../database/connection.ts";
import { chunksOf } from "../../concurrency/chunks.ts";
import { heavyWork, READING_MS } from "../../concurrency/budgets.ts";
import { takeTurn } from "../../concurrency/event-loop.ts";
import { noSuchThing } from "../../http/http-error.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { addProcessed, setSessionFields, type SessionEvent, type Tally } from "./session-changes.repo.ts";
import { changeSession, type Waiting } from "./session-changes.service.ts";
import {
  countOfCards,
  presentRow,
  presentSession,
  type RowRecord,
  type SessionRow,
  type ShownRecord,
} from "./sessions.present.ts";
import { type LinesFile, resultLines } from "./result-lines.repo.ts";
import * as repo from "./sessions.repo.ts";

export { findHeader } from "./sessions.repo.ts";

/** A value whose viewer was authorized. A method that takes it cannot be called without that check. */
export type Authorized<T> = T & { readonly [checked]: true };
const checked = Symbol("checked");

function authorized<T extends object>(thing: T): Authorized<T> {
  return { ...thing, [checked]: true };
}

/** A row, and the cells of its sheet line as uploaded. */
export type StreamedRow = { row: ResultRow; cells: string[] };
export type Viewer = Pick<Profile, "id" | "role">;
type Page = { cursor: number; limit: number };
export type SessionsService = ReturnType<typeof createSessionsService>;

const HOUR_S = 3_600;
const CHANGED_ROWS_A_PAGE = 2_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ROW_ID = /^\d{1,15}$/;

export type SessionsParts = { db: Database; activity: Pick<ActivityService, "log"> };

export function createSessionsService(parts: SessionsParts) {
  const { db } = parts;
  return {
    ...createAccess(parts),

    present: ({ id }: Authorized<SessionRow>): Promise<ScanSession> => showSession(db, id),

    /** Lists the viewer's own sessions. `cursor` is the number of sessions to skip. */
    async list(viewer: Viewer, listing: repo.SessionListing) {
      const records = await repo.listSessions(db, viewer.id, { ...listing, limit: listing.limit + 1 });
      const hasMore = records.length > listing.limit;
      return {
        sessions: records.slice(0, listing.limit).map(presentSession),
        nextCursor: hasMore ? String(listing.cursor + listing.limit) : null,
      };
    },

    /** Returns these sessions in the order given. Omits sessions that don't exist or that the viewer may not see. */
    async listOf(viewer: Viewer, sessionIds: readonly string[]): Promise<ScanSession[]> {
      const records = await repo.listSessionsOf(db, sessionIds);
      const byId = new Map(records.map((record) => [record.id, record]));
      return sessionIds.flatMap((id) => {
        const record = byId.get(id);
        return record && maySee(viewer, record) ? [presentSession(record)] : [];
      });
    },

    /** Returns a page of rows after row `cursor`, oldest first. */
    async results(viewer: Viewer, { id, event_seq: eventSeq }: Authorized<SessionRow>, { cursor, limit }: Page) {
      // One more row shows that there is a next page. A page with much text is shorter than its limit.
      const rows = await readPage(db, viewer, id, { cursor, limit: limit + 1 });
      const results = rows.slice(0, limit);
      const last = results.at(-1)?.id ?? null;
      const hasMore = rows.length > limit || (last !== null && (await repo.hasRowsAfter(db, id, Number(last))));
      return { results, nextCursor: hasMore ? last : null, eventSeq };
    },

    /**
     * Returns up to about 2,000 rows that changed after event `since`, and the number of the last event included. To
     * read all changes, call it again from that number until no rows are left. Null if the session does not exist.
     */
    async changes(sessionId: string, since: number): Promise<ScanEvent | null> {
      const record = await repo.findSession(db, sessionId);
      if (!record) return null;
      const session = presentSession(record);
      if (since >= session.eventSeq) return { session, results: [] };
      const { rows, upTo } = await repo.listChangedRows(db, sessionId, since, CHANGED_ROWS_A_PAGE);
      return { session: { ...session, eventSeq: upTo ?? session.eventSeq }, results: await inSlices(rows, presentRow) };
    },

    /**
     * Streams all rows of a session, or those with these ids, in sheet order, in pages.
     * @throws HttpError 404 at the end if the session was deleted meanwhile, so that the export doesn't seem complete
     */
    streamRows: (viewer: Viewer, session: Authorized<SessionRow>, rowIds: readonly number[] | null) =>
      stream(db, viewer, session.id, rowIds, COMPLETE),

    /** The same as lines of the results file, which cost much less to read. */
    streamLines: (viewer: Viewer, session: Authorized<SessionRow>, rowIds: readonly number[] | null, file: LinesFile) =>
      stream(db, viewer, session.id, rowIds, resultLines(file)),

    /** Whether any row has an offer of its own, which replaces the rule's. */
    hasOwnOffers: ({ id }: Authorized<SessionRow>): Promise<boolean> => repo.hasOwnOffers(db, id),

    /** Renames a session or sets its offer rule; null removes the rule. Notifies followers. */
    async change({ id }: Authorized<SessionRow>, change: SessionChange): Promise<ScanSession> {
      await changeSession(db, id, (locked) => setSessionFields(locked, change));
      return showSession(db, id);
    },

    /**
     * Changes a session's rows under its lock and adds the returned counts to the session's. Logs if this completes the
     * session. Returns false if the session does not exist or `change` returned null.
     * @throws BusyError if others hold the lock for longer than `waiting` allows
     */
    async changeCounted(sessionId: string, change: CountedChange, waiting: Waiting = {}): Promise<boolean> {
      const counted = async (locked: SessionEvent) => {
        const tally = await change(locked);
        return tally && addProcessed(locked, tally);
      };
      const done = await changeSession(db, sessionId, counted, waiting);
      if (done?.completed) await logCompleted(parts, done.userId, sessionId);
      return done !== null;
    },

    /** Logs that a session completed, unless it was deleted or is growing. */
    logCompleted: (userId: string, sessionId: string) => logCompleted(parts, userId, sessionId),
  };
}

/** The checks of who may see a session or a row. */
function createAccess(parts: SessionsParts) {
  const { db } = parts;
  const openings = new RateLimiterMemory({ points: 1, duration: HOUR_S });

  /** @throws HttpError 404 if the session does not exist or belongs to another user */
  async function authorize(viewer: Viewer, sessionId: string): Promise<Authorized<SessionRow>> {
    const session = UUID.test(sessionId) ? await repo.findSessionRow(db, sessionId) : null;
    if (!session || !maySee(viewer, session)) throw noSuchThing("session");
    return authorized(session);
  }

  /** Authorizes a viewer to read or change rows. Logs access to another user's session once an hour on each node. */
  async function open(viewer: Viewer, sessionId: string): Promise<Authorized<SessionRow>> {
    const session = await authorize(viewer, sessionId);
    if (session.user_id === viewer.id) return session;
    const { consumedPoints } = await openings.penalty(`${viewer.id}\n${session.id}`);
    if (consumedPoints === 1) await logOpened(parts, viewer, session);
    return session;
  }

  return {
    authorize,
    open,

    /** Logs that an administrator searches everyone's rows, once an hour on each node. */
    async logSearch({ id, role }: Viewer): Promise<void> {
      if (role !== "admin" || (await openings.penalty(id)).consumedPoints > 1) return;
      await parts.activity.log(id, "rows_searched", "Searched the rows of all users");
    },

    /** @throws HttpError 404 that names `what` if the row does not exist or belongs to another user */
    async authorizeRow(viewer: Viewer, rowId: string, what = "result"): Promise<Authorized<RowRecord>> {
      const row = ROW_ID.test(rowId) ? await repo.findRowById(db, Number(rowId)) : null;
      if (!row || !maySee(viewer, row)) throw noSuchThing(what);
      if (row.user_id !== viewer.id) await open(viewer, row.session_id);
      return authorized(row);
    },
  };
}

/** What changes a session's rows. Returns null if it changed nothing. */
type CountedChange = (locked: SessionEvent) => Promise<Tally | null>;

/** Growing sessions are not logged: they complete after every scanned slab. */
async function logCompleted({ db, activity }: SessionsParts, userId: string, sessionId: string): Promise<void> {
  const session = await repo.findSession(db, sessionId);
  if (!session || session.is_growing) return;
  const cards = countOfCards(session.processed_cards);
  await activity.log(userId, "scan_completed", `Completed processing ${cards} of ${session.session_name}`, {
    sessionId,
    totalCards: session.total_cards,
    errors: (session.counts.error ?? 0) + (session.counts.failed ?? 0),
  });
}

async function logOpened(
  { db, activity }: SessionsParts,
  viewer: Viewer,
  { id: sessionId, user_id: ownerId, session_name: sessionName }: SessionRow,
): Promise<void> {
  const owner = (await repo.findSession(db, sessionId))?.owner_email;
  const about = { sessionId, sessionName, ownerId, owner };
  await activity.log(viewer.id, "session_opened", `Opened session ${sessionName} of ${owner}`, about);
}

const PRESENTED_AT_ONCE = 100;

/** Presents rows a hundred at a time: comparing a card with long texts of the sheet takes up to a millisecond. */
async function inSlices<Row, Shown>(rows: readonly Row[], present: (row: Row) => Shown): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const slice of chunksOf(rows, PRESENTED_AT_ONCE)) {
    if (shown.length > 0) await setImmediate();
    shown.push(...slice.map(present));
  }
  return shown;
}

/** Reads a page of rows. The parts after the first wait for the viewer's turn. */
async function readPage(db: Database, viewer: Viewer, sessionId: string, page: Page): Promise<ResultRow[]> {
  const read = (cursor: number) =>
    repo.listRows(db, sessionId, { cursor, limit: Math.min(page.limit, repo.ROWS_AT_ONCE) });
  let part = await heavyWork.charge(viewer.id, () => read(page.cursor), READING_MS);
  const isLarge = page.limit > repo.ROWS_AT_ONCE;
  const last = isLarge ? await repo.findLastOfPage(db, sessionId, page) : (part.at(-1)?.id ?? 0);
  const results: ResultRow[] = [];
  while (part.length > 0) {
    const ofPage = part.filter(({ id }) => id <= last);
    results.push(...(await inSlices(ofPage, presentRow)));
    const at = part.at(-1)?.id ?? last;
    part = at >= last ? [] : await takeTurn(viewer.id, () => read(at));
  }
  return results;
}

function maySee(viewer: Viewer, thing: { user_id: string }): boolean {
  return thing.user_id === viewer.id || viewer.role === "admin";
}

type Reading<Row, Shown> = {
  atOnce: number;
  list: (db: Database, sessionId: string, page: repo.RowPage) => Promise<Row[]>;
  present: (row: Row) => Shown;
};
const COMPLETE = {
  atOnce: repo.ROWS_AT_ONCE,
  list: repo.listRowsWithCells,
  present: (record: ShownRecord & Pick<RowRecord, "cells">): StreamedRow => ({
    row: presentRow(record),
    cells: record.cells,
  }),
};
async function* stream<Row extends { id: number }, Shown>(
  db: Database,
  viewer: Viewer,
  sessionId: string,
  rowIds: readonly number[] | null,
  { atOnce, list, present }: Reading<Row, Shown>,
): AsyncGenerator<Shown[]> {
  const chosen = rowIds ? chunksOf(repo.inOrder(rowIds), atOnce) : [null];
  for (const some of chosen) {
    const after = (cursor: number) => list(db, sessionId, { cursor, limit: atOnce, rowIds: some });
    for await (const rows of pagesOf(viewer, after)) yield await inSlices(rows, present);
  }
  await getSession(db, sessionId);
}

/** Reads the next page while the caller works on this one. */
async function* pagesOf<Row extends { id: number }>(viewer: Viewer, after: (cursor: number) => Promise<Row[]>) {
  let next = after(0);
  for (;;) {
    const rows = await next;
    const last = rows.at(-1);
    if (!last) return;
    next = takeTurn(viewer.id, () => after(last.id));
    // Nobody awaits it if the caller leaves after this page.
    next.catch(() => undefined);
    yield rows;
  }
}

export async function getSession(db: Database, sessionId: string): Promise<SessionRow> {
  const session = await repo.findSessionRow(db, sessionId);
  if (!session) throw noSuchThing("session");
  return session;
}

/** @throws HttpError 404 if the session does not exist */
export async function showSession(db: Database, sessionId: string): Promise<ScanSession> {
  const session = await repo.findSession(db, sessionId);
  if (!session) throw noSuchThing("session");
  return presentSession(session);
}

import { randomUUID } from "node:crypto";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanEvent, ScanSession, newScanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { defaultSessionName } from "@slabdesk/contract/sheet/session-name.ts";
import type { z } from "zod";
import type { Database } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import { LOOKUP_QUEUES, type Jobs, type LookupQueue } from "../../jobs/jobs.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { KNOWN_SOURCES } from "../certs/certs.service.ts";
import { presentRow, presentSession, type RowRecord, type SessionRecord } from "./scans.present.ts";
import * as repo from "./scans.repo.ts";
import { newRow } from "./scans.rows.ts";

/** A thing whose viewer was checked; a method that takes it cannot be reached without the check. */
export type Authorized<T> = T & { readonly [checked]: true };
declare const checked: unique symbol;

export type NewScan = z.output<typeof newScanSessionSchema>;
type Viewer = Pick<Profile, "id" | "role">;

export type ScansParts = { db: Database; jobs: Pick<Jobs, "enqueueLookups">; activity: ActivityService; knownCertDays: number; now: () => Date };

const CHANGED_ROWS_A_PAGE = 2_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type ScansService = ReturnType<typeof createScansService>;

export function createScansService({ db, jobs, activity, knownCertDays, now }: ScansParts) {
  const service = {
    /**
     * Stores a sheet and starts its run: the session, a row for every line and a job for every certificate to look
     * up come to be together or not at all. The same idempotency key of the same user gives the same session again.
     */
    async create(viewer: Viewer, scan: NewScan, idempotencyKey: string | null): Promise<{ session: ScanSession; created: boolean }> {
      const created = await db.transaction().execute((trx) => store(trx, viewer, scan, idempotencyKey));
      if (created === null) {
        const earlier = await repo.findSessionByKey(db, viewer.id, idempotencyKey ?? "");
        if (!earlier) throw new HttpError(409, "conflict", "This upload is being stored already. Wait a moment and look at your sessions");
        return { session: presentSession(await getSession(earlier)), created: false };
      }
      const session = presentSession(await getSession(created.sessionId));
      const about = { sessionId: session.id, sessionName: session.sessionName, totalCards: session.totalCards };
      await activity.log(viewer.id, "scan_session_created", `Created session ${session.sessionName}`, about);
      await activity.log(viewer.id, "scan_started", `Started processing ${session.totalCards} cards`, { ...about, mode: scan.mode });
      if (created.completed) await service.logCompleted(viewer.id, session.id);
      return { session, created: true };
    },

    /** @throws HttpError 404 when there is no such session or it is somebody else's */
    async authorize(viewer: Viewer, sessionId: string): Promise<Authorized<SessionRecord>> {
      const session = UUID.test(sessionId) ? await repo.findSession(db, sessionId) : null;
      if (!session || (session.user_id !== viewer.id && viewer.role !== "admin")) throw noSuchThing("session");
      return session as Authorized<SessionRecord>;
    },

    /** @throws HttpError 404 when there is no such row or it is somebody else's */
    async authorizeRow(viewer: Viewer, rowId: string): Promise<Authorized<RowRecord>> {
      const row = /^\d{1,15}$/.test(rowId) ? await repo.findRow(db, Number(rowId), viewer) : null;
      if (!row) throw noSuchThing("result");
      return row as Authorized<RowRecord>;
    },

    present: (session: Authorized<SessionRecord>): ScanSession => presentSession(session),

    async list(viewer: Viewer, listing: repo.SessionListing): Promise<{ sessions: ScanSession[]; nextCursor: string | null }> {
      const records = await repo.listSessions(db, viewer.id, { ...listing, limit: listing.limit + 1 });
      const more = records.length > listing.limit;
      return { sessions: records.slice(0, listing.limit).map(presentSession), nextCursor: more ? String(listing.cursor + listing.limit) : null };
    },

    /** A page of rows, oldest first, after the row of id `cursor`. */
    async results(session: Authorized<SessionRecord>, cursor: number, limit: number): Promise<{ results: ResultRow[]; nextCursor: string | null; eventSeq: number }> {
      const rows = await repo.listRows(db, session.id, cursor, limit);
      const last = rows.at(-1);
      return { results: rows.map(presentRow), nextCursor: last && rows.length === limit ? String(last.id) : null, eventSeq: session.event_seq };
    },

    /** The rows that changed after event `since` and the event they lead to; asked again from there until nothing changes. */
    async changes(sessionId: string, since: number): Promise<ScanEvent> {
      const session = presentSession(await getSession(sessionId));
      const rows = await repo.listChangedRows(db, sessionId, since, CHANGED_ROWS_A_PAGE);
      const reached = rows.length >= CHANGED_ROWS_A_PAGE ? (rows.at(-1)?.event_seq ?? since) : session.eventSeq;
      return { session: { ...session, eventSeq: reached }, results: rows.map(presentRow) };
    },

    /** Every row of a session in pages, for exports; a thousand rows in memory at a time. */
    async *streamRows(session: Authorized<SessionRecord>): AsyncGenerator<ResultRow[]> {
      let cursor = 0;
      for (;;) {
        const rows = await repo.listRows(db, session.id, cursor, 1_000);
        const last = rows.at(-1);
        if (!last) return;
        yield rows.map(presentRow);
        cursor = last.id;
      }
    },

    /** Stops one session: the card in flight ends, the rest stays pending. Stopping a stopped session changes nothing. */
    async stop(viewer: Viewer, session: Authorized<SessionRecord>): Promise<ScanSession> {
      await stopAndLog(viewer, { sessionId: session.id });
      return presentSession(await getSession(session.id));
    },

    /** Stops all of the viewer's running sessions; returns how many there were. */
    async stopAll(viewer: Viewer): Promise<number> {
      return stopAndLog(viewer, { userId: viewer.id });
    },

    /** Exchanges front and back and keeps it. @throws HttpError 409 when there are not two different pictures */
    async swapImages(viewer: Viewer, row: Authorized<RowRecord>): Promise<ResultRow> {
      const swapped = await db.transaction().execute(async (trx) => {
        const event = await repo.nextEventSeq(trx, row.session_id);
        if (event) await repo.notify(trx, row.session_id);
        return event && repo.swapImages(trx, row.id, event.eventSeq);
      });
      if (!swapped) throw new HttpError(409, "conflict", "There are no two different pictures to swap");
      await activity.log(viewer.id, "image_swap", `Swapped the pictures of ${row.grading_company} ${row.cert_number}`, { resultId: String(row.id) });
      return presentRow(swapped);
    },

    async logCompleted(userId: string, sessionId: string): Promise<void> {
      const session = await getSession(sessionId);
      const errors = session.counts.error ?? 0;
      await activity.log(userId, "scan_completed", `Completed processing ${session.processed_cards} cards`, { sessionId, totalCards: session.total_cards, errors });
    },
  };

  async function getSession(sessionId: string): Promise<SessionRecord> {
    const session = await repo.findSession(db, sessionId);
    if (!session) throw noSuchThing("session");
    return session;
  }

  async function store(trx: Parameters<typeof repo.insertSession>[0], viewer: Viewer, scan: NewScan, idempotencyKey: string | null): Promise<{ sessionId: string; completed: boolean } | null> {
    const sessionId = await repo.insertSession(trx, {
      userId: viewer.id,
      sessionName: scan.sessionName || defaultSessionName(scan.csvFilename, now()),
      csvFilename: scan.csvFilename,
      header: scan.header,
      totalCards: scan.rows.length,
      mode: scan.mode,
      includePricing: scan.includePricing,
      reuseKnown: scan.reuseKnown,
      idempotencyKey,
    });
    if (sessionId === null) return null;
    await repo.insertRows(trx, sessionId, viewer.id, judgeRows(scan));
    if (scan.reuseKnown) await repo.fillKnownRows(trx, sessionId, KNOWN_SOURCES[scan.mode], knownCertDays);
    await repo.addScan(trx, viewer.id);
    const { completed } = await repo.addProcessed(trx, sessionId, await repo.countSettled(trx, sessionId));
    const pending = await repo.listPendingJobs(trx, sessionId);
    // The n-th card of each session has priority -n: ten cards uploaded now are not behind another's five thousand.
    await jobs.enqueueLookups(
      trx,
      pending.map((job, index) => ({ id: job.job_id, queue: queueOf(job.grading_company), sessionId, priority: -index })),
    );
    return { sessionId, completed };
  }

  async function stopAndLog(viewer: Viewer, which: { userId: string } | { sessionId: string }): Promise<number> {
    const stopped = await db.transaction().execute((trx) => repo.stopSessions(trx, which));
    for (const sessionId of stopped) await activity.log(viewer.id, "scan_stopped", "Stopped processing", { sessionId });
    return stopped.length;
  }

  return service;
}

/** Rows of the same certificate share one job: it is looked up once and fills them all. */
function judgeRows(scan: NewScan) {
  const jobIds = new Map<string, string>();
  const jobIdOf = (company: Company, certNumber: string): string => {
    const key = `${company} ${certNumber}`;
    const jobId = jobIds.get(key) ?? randomUUID();
    jobIds.set(key, jobId);
    return jobId;
  };
  return scan.rows.map((row) => newRow({ ...row, price: row.price === null || row.price === undefined ? "" : String(row.price), notes: row.notes ?? "" }, jobIdOf));
}

function queueOf(company: string): LookupQueue {
  switch (company) {
    case "PSA":
      return LOOKUP_QUEUES.psa;
    case "CGC":
      return LOOKUP_QUEUES.cgc;
    case "TAG":
      return LOOKUP_QUEUES.tag;
    default:
      throw new Error(`A pending row names the company ${company}`);
  }
}

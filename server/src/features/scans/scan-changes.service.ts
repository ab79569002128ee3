import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession, SessionChange } from "@slabdesk/contract/api/sessions.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { HttpError } from "../../http/http-error.ts";
import { lookupQueueOf, RETRY_QUEUE, type Jobs } from "../../jobs/jobs.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { presentRow, presentSession, type RowRecord, type SessionRecord } from "./scans.present.ts";
import * as rows from "./scan-rows.repo.ts";
import { changePrices, takePricesBack } from "./scans.prices.ts";
import * as repo from "./scans.repo.ts";
import { getSession, type Authorized, type Viewer } from "./scans.service.ts";
import { countOfCards } from "./scans.messages.ts";

export type ScanChangesService = ReturnType<typeof createScanChangesService>;
export type ScanChangesParts = {
  db: Database;
  jobs: Pick<Jobs, "cancel">;
  activity: ActivityService;
};

/** What people and the run do to a session once it exists. */
export function createScanChangesService({ db, jobs, activity }: ScanChangesParts) {
  async function stopAndLog(viewer: Viewer, which: { userId: string } | { sessionId: string }): Promise<number> {
    const stopped = await db.transaction().execute(async (trx) => {
      const sessions = await repo.stopSessions(trx, which);
      for (const { id, event_seq } of sessions) await takeBack(trx, id, event_seq);
      return sessions;
    });
    for (const { id, session_name } of stopped)
      await activity.log(viewer.id, "scan_stopped", `Stopped processing ${session_name}`, { sessionId: id });
    return stopped.length;
  }

  /** Jobs that nobody has begun would only stand in other sessions' way. */
  async function takeBack(trx: DatabaseTransaction, sessionId: string, eventSeq: number): Promise<void> {
    const released = await rows.releaseSession(trx, sessionId, eventSeq);
    const tally = await takePricesBack(jobs, trx, sessionId, eventSeq);
    await repo.spreadEvent(trx, sessionId, eventSeq);
    const queueOf = ({ status, grading_company }: (typeof released)[number]) =>
      status === "queued" ? RETRY_QUEUE : lookupQueueOf(grading_company);
    for (const [queue, list] of Map.groupBy(released, queueOf)) {
      const ids = list.map((job) => job.job_id);
      await jobs.cancel(trx, queue, ids);
    }
    await repo.addProcessed(trx, sessionId, tally);
  }

  return {
    /**
     * Stops one session: the card in flight ends, the rest stays pending. Of a session that runs no more only the prices
     * that are still to come are stopped; else nothing changes.
     */
    async stop(viewer: Viewer, session: Authorized<SessionRecord>): Promise<ScanSession> {
      const stopped = await stopAndLog(viewer, { sessionId: session.id });
      if (stopped === 0 && session.prices_pending + session.prices_waiting > 0) {
        await changePrices(db, session.id, async (trx, eventSeq) => {
          const tally = await takePricesBack(jobs, trx, session.id, eventSeq);
          await repo.spreadEvent(trx, session.id, eventSeq);
          return tally;
        });
      }
      return presentSession(await getSession(db, session.id));
    },

    /** Stops all of the viewer's running sessions; returns how many there were. */
    stopAll: (viewer: Viewer): Promise<number> => stopAndLog(viewer, { userId: viewer.id }),

    /** Renames a session, or sets what is offered for its cards; a null rule takes it away. Open tables are told. */
    async change(session: Authorized<SessionRecord>, change: SessionChange): Promise<ScanSession> {
      await db.transaction().execute(async (trx) => {
        await repo.nextEventSeq(trx, session.id);
        await repo.changeSession(trx, session.id, change);
      });
      return presentSession(await getSession(db, session.id));
    },

    /** Exchanges front and back and keeps it. @throws HttpError 409 when there are not two different pictures */
    async swapImages(viewer: Viewer, row: Authorized<RowRecord>): Promise<ResultRow> {
      const swapped = await db.transaction().execute(async (trx) => {
        const event = await repo.nextEventSeq(trx, row.session_id);
        return event && repo.swapImages(trx, row.id, event.eventSeq);
      });
      if (!swapped) throw new HttpError(409, "conflict", "There are no two different pictures to swap");
      await activity.log(viewer.id, "image_swap", `Swapped the pictures of ${row.grading_company} ${row.cert_number}`, {
        resultId: String(row.id),
      });
      return presentRow(swapped);
    },

    /**
     * Notes that a session came to its end by itself, unless it was deleted since; one that slabs are scanned into does so
     * after every slab.
     */
    async logCompleted(userId: string, sessionId: string): Promise<void> {
      const session = await repo.findSession(db, sessionId);
      if (!session || session.is_growing) return;
      const cards = countOfCards(session.processed_cards);
      await activity.log(userId, "scan_completed", `Completed processing ${cards} of ${session.session_name}`, {
        sessionId,
        totalCards: session.total_cards,
        errors: (session.counts.error ?? 0) + (session.counts.failed ?? 0),
      });
    },
  };
}

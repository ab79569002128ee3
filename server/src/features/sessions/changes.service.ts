import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession, SessionChange } from "@slabdesk/contract/api/sessions.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { HttpError } from "../../http/http-error.ts";
import { lookupQueueOf, RETRY_QUEUE, type Jobs } from "../../jobs/jobs.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { presentRow, presentSession, type RowRecord, type SessionRecord } from "./sessions.present.ts";
import * as rows from "../runs/rows.repo.ts";
import { changePrices, takePricesBack } from "../prices/row-prices.ts";
import * as repo from "./sessions.repo.ts";
import { getSession, type Authorized, type Viewer } from "./sessions.service.ts";
import { countOfCards } from "./sessions.messages.ts";

export type ScanChangesService = ReturnType<typeof createScanChangesService>;
export type ScanChangesParts = {
  db: Database;
  jobs: Pick<Jobs, "cancel">;
  activity: ActivityService;
};

/** Changes existing sessions and logs their completion. */
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

  /** Cancels a stopped session's unstarted jobs, so that they don't delay other sessions. */
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
     * Stops one session. The look-up in progress ends; the other rows stay `pending`. If the session is not running,
     * cancels only its open prices, if any.
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

    /** Stops all of the viewer's running sessions. Returns the number stopped. */
    stopAll: (viewer: Viewer): Promise<number> => stopAndLog(viewer, { userId: viewer.id }),

    /** Renames a session or sets its offer rule; null removes the rule. Notifies followers. */
    async change(session: Authorized<SessionRecord>, change: SessionChange): Promise<ScanSession> {
      await db.transaction().execute(async (trx) => {
        await repo.nextEventSeq(trx, session.id);
        await repo.changeSession(trx, session.id, change);
      });
      return presentSession(await getSession(db, session.id));
    },

    /** Swaps a row's front and back pictures. @throws HttpError 409 unless there are two different pictures */
    async swapImages(viewer: Viewer, row: Authorized<RowRecord>): Promise<ResultRow> {
      const swapped = await db.transaction().execute(async (trx) => {
        const event = await repo.nextEventSeq(trx, row.session_id);
        return event && repo.swapImages(trx, row.id, event.eventSeq);
      });
      if (!swapped) throw new HttpError(409, "conflict", "There are not two different pictures to swap");
      await activity.log(viewer.id, "image_swap", `Swapped the pictures of ${row.grading_company} ${row.cert_number}`, {
        resultId: String(row.id),
      });
      return presentRow(swapped);
    },

    /**
     * Logs that a session completed, unless it was deleted. Growing sessions are not logged: they complete after every
     * scanned slab.
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

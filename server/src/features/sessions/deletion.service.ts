import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { noSuchThing } from "../../http/http-error.ts";
import { lookupQueueOf, PRICE_QUEUES, RETRY_QUEUE, type Jobs } from "../../jobs/jobs.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import type { ImagesService } from "../photos/images.service.ts";
import * as repo from "./deletion.repo.ts";
import type { SessionRecord } from "./sessions.present.ts";
import type { Authorized, Viewer } from "./sessions.service.ts";

export type ScanDeletionService = ReturnType<typeof createScanDeletionService>;
export type ScanDeletionParts = {
  db: Database;
  jobs: Pick<Jobs, "cancel">;
  images: Pick<ImagesService, "forget">;
  activity: ActivityService;
};

/** Deletes sessions permanently. */
export function createScanDeletionService({ db, jobs, images, activity }: ScanDeletionParts) {
  /** Cancels unclaimed jobs. A claimed job ends without an open row. */
  async function cancelJobs(trx: DatabaseTransaction, sessionId: string): Promise<void> {
    const open = await repo.listOpenJobs(trx, sessionId);
    const queueOf = ({ status, grading_company }: repo.OpenJob) =>
      status === "queued" ? RETRY_QUEUE : lookupQueueOf(grading_company);
    for (const [queue, list] of Map.groupBy(open, queueOf)) {
      const ids = list.map((job) => job.job_id);
      await jobs.cancel(trx, queue, ids);
    }
    for (const source of PRICE_SOURCES)
      await jobs.cancel(trx, PRICE_QUEUES[source], await repo.listPriceJobs(trx, sessionId, source));
  }

  return {
    /**
     * Deletes a session with its rows, user photos and counters, even while it is running. Notifies followers. Keeps
     * cached certs, price quotes and call logs. Also keeps the owner's `total_scans` and `total_cards_processed`, which
     * count past work. Returns the number of rows deleted.
     *
     * @throws HttpError 404 if the session no longer exists
     */
    async delete(viewer: Viewer, { id: sessionId }: Authorized<SessionRecord>): Promise<number> {
      const { session, photos, deletedResults } = await db.transaction().execute(async (trx) => {
        const taken = await repo.takeSession(trx, sessionId);
        if (!taken) throw noSuchThing("session");
        await cancelJobs(trx, sessionId);
        const ownPhotos = await repo.listOwnPhotos(trx, sessionId);
        return { session: taken, photos: ownPhotos, deletedResults: await repo.deleteSession(trx, sessionId) };
      });
      await activity.log(viewer.id, "session_deleted", `Deleted session ${session.session_name}`, {
        sessionId,
        sessionName: session.session_name,
        ownerId: session.user_id,
        owner: session.owner_email,
        totalCards: session.total_cards,
        processedCards: session.processed_cards,
        deletedResults,
      });
      for (const photo of photos) await images.forget(photo);
      return deletedResults;
    },
  };
}

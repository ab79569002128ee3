import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { noSuchThing } from "../../http/http-error.ts";
import { cancelLookups, type Jobs, PRICE_QUEUES } from "../../jobs/jobs.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import * as repo from "./deletion.repo.ts";
import type { SessionRow } from "./sessions.present.ts";
import type { Authorized, Viewer } from "./sessions.service.ts";

export type DeletionService = ReturnType<typeof createDeletionService>;
export type DeletionParts = {
  db: Database;
  jobs: Pick<Jobs, "cancel">;
  forgetPhoto: (url: string) => Promise<void>;
  activity: ActivityService;
};

export function createDeletionService({ db, jobs, forgetPhoto, activity }: DeletionParts) {
  async function cancelJobs(trx: DatabaseTransaction, sessionId: string): Promise<void> {
    await cancelLookups(jobs, trx, await repo.listOpenJobs(trx, sessionId));
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
    async delete(viewer: Viewer, { id: sessionId }: Authorized<SessionRow>): Promise<number> {
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
      for (const photo of photos) await forgetPhoto(photo);
      return deletedResults;
    },
  };
}

import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { Context } from "../../context.ts";
import { noSuchThing } from "../../http/http-error.ts";
import { cancelLookups, PRICE_QUEUES } from "../../jobs/jobs.ts";
import * as repo from "./session-changes.repo.ts";
import type { SessionRow } from "./sessions.present.ts";
import type { Authorized, Viewer } from "./sessions.service.ts";

export type DeletionContext = Context & { forgetPhoto: (url: string) => Promise<void> };

/**
 * Deletes a session with its rows, user photos and counters, even while it is running. Keeps cached certs, price
 * quotes, call logs, and the owner's totals, which count past work. Returns the number of rows deleted.
 * @throws HttpError 404 if the session no longer exists
 */
export async function deleteSession(
  { db, jobs, activity, forgetPhoto }: DeletionContext,
  viewer: Viewer,
  { id: sessionId }: Authorized<SessionRow>,
): Promise<number> {
  const { session, photos, deletedResults } = await db.transaction().execute(async (trx) => {
    const taken = await repo.takeSession(trx, sessionId);
    if (!taken) throw noSuchThing("session");
    await cancelLookups(jobs, trx, await repo.listOpenJobs(trx, sessionId));
    for (const source of PRICE_SOURCES)
      await jobs.cancel(trx, PRICE_QUEUES[source], await repo.listPriceJobs(trx, sessionId, source));
    const ownPhotos = await repo.listOwnPhotos(trx, sessionId);
    return { session: taken, photos: ownPhotos, deletedResults: await repo.deleteSession(trx, sessionId) };
  });
  const deed = `Deleted session ${session.sessionName}`;
  await activity.log(viewer.id, "session_deleted", deed, { sessionId, ...session, deletedResults });
  for (const photo of photos) await forgetPhoto(photo);
  return deletedResults;
}

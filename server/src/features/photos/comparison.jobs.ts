import type { Database } from "../../database/connection.ts";
import type { ImageComparison, Jobs } from "../../jobs/jobs.ts";
import type { ImagesService } from "./images.service.ts";
import { hasRowsOf, listSessionsShowing, markKnownSame, markRowsSame } from "./row-photos.repo.ts";
import { changeSession } from "../sessions/session-changes.service.ts";

/*
 * After a look-up finds a card, a job fetches, caches and compares its two pictures, so that the session shows
 * duplicate pictures without a manual check. The queue is slow on purpose (a few cards per second) to leave capacity
 * for look-ups and users. Cards without rows, for example after their session was deleted, are skipped.
 */

export type ComparisonJobsParts = {
  db: Database;
  jobs: Pick<Jobs, "workImageComparisons">;
  images: Pick<ImagesService, "compare">;
  closing: AbortSignal;
};

/** Starts the worker of the image comparison queue. */
export async function workImageComparisons({ db, jobs, images, closing }: ComparisonJobsParts): Promise<void> {
  await jobs.workImageComparisons(async (look) => {
    if (closing.aborted) return "again";
    if (!(await hasRowsOf(db, look))) return "done";
    const sides = await images.compare(look.front, look.back);
    if (sides === "same") await markSame(db, look);
    return sides === "later" ? "again" : "done";
  });
}

async function markSame(db: Database, sides: ImageComparison): Promise<void> {
  // Update the cached cert first, so that rows filled from it from now on get the flag.
  await markKnownSame(db, sides);
  for (const sessionId of await listSessionsShowing(db, sides)) {
    await changeSession(db, sessionId, (locked) => markRowsSame(locked, sides));
  }
}

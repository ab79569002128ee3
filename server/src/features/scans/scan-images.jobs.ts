import type { Database } from "../../database/connection.ts";
import type { ImageComparison, Jobs } from "../../jobs/jobs.ts";
import type { ImagesService } from "../images/images.service.ts";
import { hasRowsOf, listSessionsShowing, markKnownSame, markRowsSame } from "./scan-images.repo.ts";
import * as repo from "./scans.repo.ts";

/*
 * After a card was found: both its pictures are fetched, kept and compared, so that a session knows of pictures that are
 * one without anybody scrolling through it. It is slow on purpose, a few cards a second, beside look-ups and people. A
 * card that nobody has a row of any more, as its session was deleted, is left alone.
 */

export type ScanImageJobsParts = {
  db: Database;
  jobs: Pick<Jobs, "workImageComparisons">;
  images: Pick<ImagesService, "compare">;
  closing: AbortSignal;
};

/** Starts looking at the pictures of found cards. */
export async function workImageComparisons({ db, jobs, images, closing }: ScanImageJobsParts): Promise<void> {
  await jobs.workImageComparisons(async (look) => {
    if (closing.aborted) return "again";
    if (!(await hasRowsOf(db, look))) return "done";
    const sides = await images.compare(look.front, look.back);
    if (sides === "same") await markSame(db, look);
    return sides === "later" ? "again" : "done";
  });
}

async function markSame(db: Database, sides: ImageComparison): Promise<void> {
  // First, so that whoever takes the known card from now on takes this too.
  await markKnownSame(db, sides);
  for (const sessionId of await listSessionsShowing(db, sides)) {
    await db.transaction().execute(async (trx) => {
      const event = await repo.nextEventSeq(trx, sessionId);
      if (event) await markRowsSame(trx, sessionId, event.eventSeq, sides);
    });
  }
}

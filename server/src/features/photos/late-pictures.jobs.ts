import type { Context } from "../../context.ts";
import { pause } from "../../pause.ts";
import { LaneClosedError } from "../../upstreams/lane.ts";
import type { CertsService } from "../certs/certs.service.ts";
import { changeSession } from "../sessions/session-changes.service.ts";
import { requestImageComparisons } from "./comparison.service.ts";
import { listSessionsWithoutPictures, showLatePictures } from "./row-photos.repo.ts";

type LatePicturesContext = Context & { certs: CertsService };

/** Looks for missing pictures until the lanes close, and shows those it finds in all rows. */
export async function workLatePictures(context: LatePicturesContext): Promise<void> {
  const { closing } = context.upstreams.lanes;
  while (!closing.aborted) {
    try {
      if (await showNext(context)) continue;
    } catch (error) {
      if (error instanceof LaneClosedError) return;
      context.report(new Error("Failed to fetch missing pictures; the next check tries again", { cause: error }));
    }
    await pause(context.intervals.latePicturesMs, closing);
  }
}

async function showNext({ db, jobs, certs }: LatePicturesContext): Promise<boolean> {
  const late = await certs.fetchLatePictures();
  if (late === null) return false;
  if (late === "tried") return true;
  for (const sessionId of await listSessionsWithoutPictures(db, late.card))
    await changeSession(db, sessionId, async (locked) => {
      await showLatePictures(locked, late);
      await requestImageComparisons(locked.trx, jobs, [late.card]);
    });
  return true;
}

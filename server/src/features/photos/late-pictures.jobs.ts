import type { Database } from "../../database/connection.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { pause } from "../../pause.ts";
import { LaneClosedError } from "../../upstreams/lane.ts";
import type { CertsService } from "../certs/certs.service.ts";
import { changeSession } from "../sessions/session-changes.service.ts";
import { requestImageComparisons } from "./comparison.service.ts";
import { listSessionsWithoutPictures, showLatePictures } from "./row-photos.repo.ts";

type LatePicturesParts = {
  db: Database;
  jobs: Pick<Jobs, "enqueueImageComparisons">;
  certs: Pick<CertsService, "fetchLatePictures">;
  report: (error: Error) => void;
};

/** Looks for missing pictures every `everyMs` until the signal aborts, and shows those it finds in all rows. */
export async function workLatePictures(parts: LatePicturesParts, everyMs: number, closing: AbortSignal): Promise<void> {
  while (!closing.aborted) {
    try {
      if (await showNext(parts)) continue;
    } catch (error) {
      if (error instanceof LaneClosedError) return;
      parts.report(new Error("Failed to fetch missing pictures; the next check tries again", { cause: error }));
    }
    await pause(everyMs, closing);
  }
}

async function showNext({ db, jobs, certs }: LatePicturesParts): Promise<boolean> {
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

import type { Card } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/connection.ts";
import type { ImagesOutcome } from "../../graders/grader.ts";
import type { EndpointReport } from "../../upstreams/breaker-rules.ts";
import * as repo from "./certs.repo.ts";
import { reportOf } from "./lookup.service.ts";

/*
 * With few calls left, PSA's certificates come before their images. Later, when no card waits for a certificate, each
 * call that is left fetches the images of one cached cert. The second failed attempt ends the search.
 */

/** A card whose images were found or given up. `notes` replaces the card's old notes. */
export type LateCard = { card: Card; before: string; notes: string };

const MOST_FAILURES = 2;

/** Fetches the images of one cached cert. Null if there is none, or no call for it. "tried": they are still missing. */
export async function fetchLateImages(context: Context): Promise<LateCard | "tried" | null> {
  const { db, upstreams } = context;
  const { lanes, breaker, graders } = upstreams;
  const { imagesOf, hasApi } = graders.PSA;
  const due = hasApi() ? await repo.findDueImages(db) : null;
  if (!due || !imagesOf || !(await hasSpareCall(context))) return null;
  return lanes.psa.call(async () => {
    // Cards may have come while this waited for the lane.
    if (!(await hasSpareCall(context)) || !(await repo.claimImages(db, due))) return null;
    const admission = await breaker.admit("psa-api", undefined, 1);
    if (admission.kind !== "admitted") {
      await repo.postponeImages(db, due, due.failures);
      return null;
    }
    const outcome = await imagesOf(due.certNumber);
    await breaker.report(admission, outcome.code === "quota_exhausted" ? 0 : 1, imageReportOf(outcome, due));
    return settle(db, due, outcome);
  });
}

/** Half of a day's calls are kept for the next sheet. With one call a day, there are no images. */
async function hasSpareCall({ db, upstreams }: Context): Promise<boolean> {
  const { state, quota } = await upstreams.breaker.status("psa-api");
  const isSpare = quota === null || (quota.limit > 1 && quota.remaining > quota.limit / 2);
  return state.kind === "open" && isSpare && (await repo.countOpenPsaCards(db, 0)) === 0;
}

/** PSA fails steadily for the images of some cards. That says nothing about its API. */
function imageReportOf(outcome: ImagesOutcome, { certNumber }: repo.DueImages): EndpointReport {
  if (outcome.code === "found") return { kind: "works" };
  const isOutage = outcome.code === "unavailable";
  return isOutage ? { kind: "unclear", message: outcome.message } : reportOf(outcome, certNumber);
}

async function settle(db: Database, due: repo.DueImages, outcome: ImagesOutcome): Promise<LateCard | "tried"> {
  const failures = outcome.code === "found" || outcome.code === "quota_exhausted" ? due.failures : due.failures + 1;
  if (outcome.code !== "found" && failures < MOST_FAILURES) {
    await repo.postponeImages(db, due, failures);
    return "tried";
  }
  const { front, back } = outcome.code === "found" ? outcome.images : { front: null, back: null };
  const urls = { imageUrl: front ?? NOT_AVAILABLE, imageUrlBack: back ?? NOT_AVAILABLE };
  const notes = withoutImagesNote(due.notes, outcome.code === "found" ? "" : outcome.note);
  const card = await repo.settleImages(db, due, { urls, notes });
  return card ? { card, before: due.notes, notes } : "tried";
}

/** Replaces the note on the missing images, which is the last one. */
function withoutImagesNote(notes: string, note: string): string {
  const others = notes.replace(/(?:^|\. )The images .*$/s, "");
  return [others, note].filter((text) => text !== "").join(". ");
}

import type { Card } from "@slabdesk/contract/api/cards.ts";
import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { Context } from "../../context.ts";
import { isDone, type Database } from "../../database/connection.ts";
import type { ImageComparison, Jobs } from "../../jobs/jobs.ts";
import { pause } from "../../concurrency/repeat.ts";
import { LaneClosedError } from "../../upstreams/lane-slots.ts";
import type { CertsService } from "../certs/certs.service.ts";
import {
  changeSession,
  SOON,
  splitEvent,
  type LockedSession,
  type SessionEvent,
} from "../sessions/session-changes.service.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";
import type { ImagesService } from "./images.service.ts";
import * as repo from "./row-photos.repo.ts";

/*
 * After a lookup finds a card, a job fetches, caches and compares its two images, so that the session shows
 * duplicate images without a manual check. The queue is slow on purpose (two cards per second) to leave capacity for
 * lookups and users. It compares one card at a time of each person, because images that hang take minutes. Cards without
 * rows, for example after their session was deleted, are skipped.
 */

/** Enqueues comparisons of the cards' two images in the transaction that settles them. */
export async function requestImageComparisons({ trx, userId }: LockedSession, jobs: Jobs, cards: readonly Card[]) {
  const comparisons = cards.map(({ gradingCompany, certNumber, imageUrl, imageUrlBack }) => {
    return { company: gradingCompany, certNumber, front: imageUrl, back: imageUrlBack };
  });
  await jobs.enqueueImageComparisons(trx, userId, comparisons.filter(mustCompare));
}

/** Enqueues a comparison for a row whose images became available after its first comparison. */
export async function requestComparison(db: Database, jobs: Jobs, row: RowRecord): Promise<void> {
  const { grading_company: company, cert_number: certNumber, front_image_url: front, back_image_url: back } = row;
  if (row.same_sides || front === null || back === null) return;
  const comparison = { company, certNumber, front, back };
  if (mustCompare(comparison))
    await db.transaction().execute((trx) => jobs.enqueueImageComparisons(trx, row.user_id, [comparison]));
}

/** Whether a card has two images with different URLs. User photos are not compared. */
function mustCompare({ front, back }: ImageComparison): boolean {
  return front !== back && ![front, back].some((url) => url === NOT_AVAILABLE || isOwnPhoto(url));
}

export async function workImageComparisons(context: Context & { images: ImagesService }): Promise<void> {
  const { db, jobs, images, upstreams } = context;
  await jobs.workImageComparisons(async (sides) => {
    if (upstreams.lanes.closing.aborted) return "again";
    if (!(await repo.hasRowsOf(db, sides))) return "done";
    const result = await images.compare(sides.front, sides.back);
    const isMarked = result !== "same" || (await isDone(markSame(db, sides)));
    return result === "later" || !isMarked ? "again" : "done";
  });
}

/** @throws BusyError if one of the sessions is busy */
async function markSame(db: Database, sides: ImageComparison): Promise<void> {
  // Update the cached cert first, so that rows filled from it from now on get the flag.
  await repo.markKnownSame(db, sides);
  const mark = async (locked: SessionEvent): Promise<void> => {
    await repo.markRowsSame(locked, sides);
    await splitEvent(locked);
  };
  for (const sessionId of await repo.listSessionsShowing(db, sides)) await changeSession(db, sessionId, mark, SOON);
}

type LateImagesContext = Context & { certs: CertsService };

/** Looks for missing images until the lanes close, and shows those it finds in all rows. */
export async function workLateImages(context: LateImagesContext): Promise<void> {
  const { closing } = context.upstreams.lanes;
  while (!closing.aborted) {
    try {
      if (await showNext(context)) continue;
    } catch (error) {
      if (error instanceof LaneClosedError) return;
      context.report(new Error("Failed to fetch missing images; the next check tries again", { cause: error }));
    }
    await pause(context.intervals.lateImagesMs, closing);
  }
}

async function showNext({ db, jobs, certs }: LateImagesContext): Promise<boolean> {
  const late = await certs.fetchLateImages();
  if (late === null) return false;
  if (late === "tried") return true;
  for (const sessionId of await repo.listSessionsWithoutImages(db, late.card))
    await changeSession(db, sessionId, async (locked) => {
      await repo.showLateImages(locked, late);
      await splitEvent(locked);
      await requestImageComparisons(locked, jobs, [late.card]);
    });
  return true;
}

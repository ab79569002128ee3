import { isOwnPhoto, OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Database } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import * as images from "./row-photos.repo.ts";
import { presentRow, type RowRecord } from "../sessions/sessions.present.ts";
import * as repo from "../sessions/sessions.repo.ts";
import type { Authorized, Viewer } from "../sessions/sessions.service.ts";

export type ScanImagesService = ReturnType<typeof createScanImagesService>;
export type ScanImagesParts = { db: Database; activity: ActivityService };

/** The updated row, and the URL of the photo it no longer shows. */
export type Changed = { row: ResultRow; gone: string | null };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** User photos that replace the graders' pictures. */
export function createScanImagesService({ db, activity }: ScanImagesParts) {
  async function log(viewer: Viewer, { row }: Changed, side: ImageSide, message: string): Promise<void> {
    await activity.log(viewer.id, "image_swap", `${message} ${row.gradingCompany} ${row.certNumber}`, {
      resultId: row.id,
      side,
    });
  }

  /** @throws HttpError 404 if the row no longer exists */
  function change(
    row: Authorized<RowRecord>,
    work: (trx: Parameters<typeof repo.nextEventSeq>[0], now: RowRecord, eventSeq: number) => Promise<Changed>,
  ): Promise<Changed> {
    return db.transaction().execute(async (trx) => {
      const event = await repo.nextEventSeq(trx, row.session_id);
      const now = event && (await images.findRowInTurn(trx, row.id));
      if (!now) throw noSuchThing("result");
      return work(trx, now, event.eventSeq);
    });
  }

  return {
    /**
     * Sets a user photo on one side of a found row and deletes an earlier one. Notifies followers.
     *
     * @param bytes a validated JPEG within the size limit
     * @throws HttpError 409 if the row has no found card
     */
    async showPhoto(viewer: Viewer, row: Authorized<RowRecord>, side: ImageSide, bytes: Buffer): Promise<Changed> {
      const changed = await change(row, async (trx, now, eventSeq) => {
        if (now.outcome !== "found") throw notFound();
        const shown = urlOf(now, side);
        const before = await takeAway(trx, now, shown);
        const replacedUrl = before ? before.replaced_url : shown;
        const url = await images.insertPhoto(trx, { rowId: now.id, bytes, replacedUrl });
        const record = await images.showPicture(trx, now.id, side, url, eventSeq);
        return { row: presentRow(record), gone: before && shown };
      });
      await log(viewer, changed, side, `Added a photo to the ${side} of`);
      return changed;
    },

    /** Restores the grader's picture. @throws HttpError 404 if the side shows no user photo */
    async hidePhoto(viewer: Viewer, row: Authorized<RowRecord>, side: ImageSide): Promise<Changed> {
      const changed = await change(row, async (trx, now, eventSeq) => {
        const shown = urlOf(now, side);
        const before = await takeAway(trx, now, shown);
        if (!before) throw noSuchThing("photo");
        const record = await images.showPicture(trx, now.id, side, before.replaced_url, eventSeq);
        return { row: presentRow(record), gone: shown };
      });
      await log(viewer, changed, side, `Removed the photo from the ${side} of`);
      return changed;
    },

    /** @throws HttpError 404 if the photo does not exist or the viewer may not see its row */
    async photo(viewer: Viewer, photoId: string): Promise<Buffer> {
      const bytes = UUID.test(photoId) ? await images.findPhoto(db, photoId, viewer) : null;
      if (!bytes) throw noSuchThing("photo");
      return bytes;
    },

    /** Returns a photo of a row whose viewer was already authorized, or null if the photo was deleted. */
    photoOfRow: async (photoId: string): Promise<Buffer | null> =>
      UUID.test(photoId) ? images.findPhotoBytes(db, photoId) : null,

    /**
     * Maps user photo URLs to the graders' URLs they replaced; null if there was none. The caller must have authorized
     * the viewer for the rows.
     */
    async replacedBy(ownUrls: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
      const ids = ownUrls.map((url) => url.slice(OWN_PHOTO_PATH.length));
      const replaced = await images.listReplaced(db, ids);
      return new Map([...replaced].map(([id, url]) => [OWN_PHOTO_PATH + id, url]));
    },
  };
}

async function takeAway(
  trx: Parameters<typeof images.deletePhoto>[0],
  row: RowRecord,
  url: string | null,
): Promise<{ replaced_url: string | null } | null> {
  if (url === null || !isOwnPhoto(url)) return null;
  return images.deletePhoto(trx, row.id, url.slice(OWN_PHOTO_PATH.length));
}

function urlOf(row: RowRecord, side: ImageSide): string | null {
  return side === "front" ? row.front_image_url : row.back_image_url;
}

function notFound(): HttpError {
  return new HttpError(409, "conflict", "Only found cards can have photos. Retry this row or correct its number first");
}

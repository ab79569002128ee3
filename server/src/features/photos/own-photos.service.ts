import { isOwnPhoto, LARGEST_PHOTO_BYTES, OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { heavyWork } from "../../concurrency/budgets.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/connection.ts";
import { conflict, HttpError, noSuchThing } from "../../http/http-error.ts";
import { changeSession, findRowById, type LockedSession } from "../sessions/session-changes.service.ts";
import { presentRow, type RowRecord } from "../sessions/sessions.present.ts";
import type { Authorized, StreamedRow, Viewer } from "../sessions/sessions.service.ts";
import { decode, judgeImage } from "../../images/decoding.ts";
import { LARGEST_MEGAPIXELS, LARGEST_SIDE } from "../../images/heavy-images.ts";
import type { Image, ImagesService } from "./images.service.ts";
import * as repo from "./row-photos.repo.ts";

export type OwnPhotosService = ReturnType<typeof createOwnPhotosService>;

export const PHOTO_TOO_LARGE = `The photo is larger than ${LARGEST_PHOTO_BYTES / 1_000_000} MB. Please choose a smaller one, or set the camera to save smaller photos`;
export const NO_PHOTO = "Photos must be JPEG, PNG, WebP or AVIF. Please save the photo in one of these formats";

const NOT_FOUND = "Only found cards can have photos. Retry this row or correct its number first";
const TOO_MANY_PIXELS = `The photo has more than ${LARGEST_MEGAPIXELS} million pixels, or is longer than ${LARGEST_SIDE.toLocaleString("en-US")} pixels. Please choose a smaller one`;
const QUOTA_EXCEEDED =
  "Your photos need more space than one person may use. Remove photos that you no longer need, or ask an administrator to raise the limit";
const DAMAGED = "The photo is damaged or incomplete. Please take or choose another one";

/** The most that is charged for storing a photo, which adds up the sizes of all of the person's photos. */
const STORING_MS = 1_000;

/** The updated row, and the URL of the photo it no longer shows. */
type Changed = { row: RowRecord; gone: string | null };
type RowChange = (locked: LockedSession, now: RowRecord) => Promise<Changed>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Stores and serves the users' own photos, which replace the graders' images. Followers of the session are notified.
 */
export function createOwnPhotosService(context: Context & { images: ImagesService }) {
  const { config, db, activity, sessions, images } = context;

  /** @throws HttpError 404 if the row no longer exists */
  async function change(viewer: Viewer, row: Authorized<RowRecord>, message: string, about: object, work: RowChange) {
    const changed = await changeSession(db, row.session_id, async (locked) => {
      const now = await findRowById(locked.trx, row.id);
      return now && work(locked, now);
    });
    if (!changed) throw noSuchThing("result");
    const description = `${message} ${row.grading_company} ${row.cert_number}`;
    await activity.log(viewer.id, "image_swap", description, { resultId: String(row.id), ...about });
    if (changed.gone !== null) await images.forget(changed.gone);
    return presentRow(changed.row);
  }

  return {
    /**
     * Replaces the grader's image on one side of a found row with a photo, and deletes an earlier photo. Removes the
     * photo's metadata.
     * @throws HttpError 404 if the row doesn't exist or belongs to another user, 409 if its card wasn't found or the
     * quota is exceeded, 400 or 413 if the photo can't be used
     */
    async put(viewer: Viewer, rowId: string, side: ImageSide, photo: Buffer): Promise<ResultRow> {
      const row = await sessions.authorizeRow(viewer, rowId);
      const bytes = await usable(photo, viewer.id);
      const message = `Added a photo to the ${side} of`;
      const store: RowChange = async (locked, now) => {
        if (now.outcome !== "found") throw conflict(NOT_FOUND);
        const shown = urlOf(now, side);
        const before = await takeAway(locked, now, shown);
        const replacedUrl = before ? before.replaced_url : shown;
        const url = await repo.insertPhoto(locked, { result_id: now.id, bytes, replaced_url: replacedUrl });
        if ((await repo.countPhotoBytes(locked, now.user_id)) > config.PHOTOS_MB_PER_PERSON * 1_000_000)
          throw conflict(QUOTA_EXCEEDED);
        return { row: await repo.showImage(locked, now.id, side, url), gone: before ? shown : null };
      };
      return heavyWork.charge(viewer.id, () => change(viewer, row, message, { side }, store), STORING_MS);
    },

    /** Restores the grader's image. @throws HttpError 404 if the row doesn't exist or has no photo on this side */
    async remove(viewer: Viewer, rowId: string, side: ImageSide): Promise<ResultRow> {
      const row = await sessions.authorizeRow(viewer, rowId);
      const message = `Removed the photo from the ${side} of`;
      return change(viewer, row, message, { side }, async (locked, now) => {
        const shown = urlOf(now, side);
        const before = await takeAway(locked, now, shown);
        if (!before) throw noSuchThing("photo");
        return { row: await repo.showImage(locked, now.id, side, before.replaced_url), gone: shown };
      });
    },

    /** @throws HttpError 404 if the row doesn't exist or isn't the viewer's, 409 unless it has two different images */
    async swap(viewer: Viewer, rowId: string): Promise<ResultRow> {
      const row = await sessions.authorizeRow(viewer, rowId);
      return change(viewer, row, "Swapped the images of", {}, async (locked, now) => {
        const swapped = await repo.swapImages(locked, now.id);
        if (!swapped) throw conflict("The front and back must be two different images");
        return { row: swapped, gone: null };
      });
    },

    /** @throws HttpError 404 if the photo doesn't exist or belongs to another user's row */
    async photo(viewer: Viewer, photoId: string): Promise<Image> {
      const photo = await findOwnPhoto(db, photoId);
      if (!photo) throw noSuchThing("photo");
      await sessions.authorizeRow(viewer, String(photo.result_id), "photo");
      return { bytes: photo.bytes, contentType: "image/jpeg" };
    },
  };
}

/** Finds a photo of anyone's row. Returns null if there is none. */
export async function findOwnPhoto(db: Database, photoId: string) {
  return UUID.test(photoId) ? repo.findPhoto(db, photoId) : null;
}

/** Deletes the photo that the row shows, if any. */
async function takeAway(locked: LockedSession, row: RowRecord, url: string | null) {
  return url !== null && isOwnPhoto(url) && repo.deletePhoto(locked, row.id, url.slice(OWN_PHOTO_PATH.length));
}

function urlOf(row: RowRecord, side: ImageSide): string | null {
  return side === "front" ? row.front_image_url : row.back_image_url;
}

/** @throws HttpError 400 or 413 with a message for the user */
async function usable(photo: Buffer, person: string): Promise<Buffer> {
  const judged = await judgeImage(photo, person);
  if (judged.kind === "too_many_pixels") throw new HttpError(413, "too_large", TOO_MANY_PIXELS);
  if (judged.kind === "no_image") throw new HttpError(400, "bad_request", NO_PHOTO, { cause: judged.cause });
  return decode(person, "plainPhoto", photo).catch((cause: unknown) => {
    throw new HttpError(400, "bad_request", DAMAGED, { cause });
  });
}

/* User photos in exported rows. The caller must have authorized the viewer for the rows. */

type Pages = AsyncIterable<StreamedRow[]>;

export const publicUrlOf = ({ PUBLIC_URL, PORT }: Context["config"]): string =>
  PUBLIC_URL ?? `http://localhost:${PORT}`;

/** Replaces the URLs of uploaded photos with absolute URLs, which a signed-in reader of the file can open. */
export async function* withOwnPhotos({ config }: Context, pages: Pages): AsyncGenerator<StreamedRow[]> {
  const publicUrl = publicUrlOf(config);
  for await (const rows of pages) yield withUrls(rows, (url) => publicUrl + url);
}

/** Replaces uploaded photos with the grader's images, if any, because the public can't open the photos. */
export async function* withGradersImages({ db }: Context, pages: Pages): AsyncGenerator<StreamedRow[]> {
  for await (const rows of pages) {
    const urls = rows.flatMap(({ row }) => [row.imageUrl, row.imageUrlBack]);
    const replaced = await repo.listReplaced(db, urls.filter((url) => url !== null).filter(isOwnPhoto));
    yield withUrls(rows, (url) => replaced.get(url) ?? null);
  }
}

function withUrls(rows: readonly StreamedRow[], change: (ownUrl: string) => string | null): StreamedRow[] {
  const isOwn = (url: string | null): url is string => url !== null && isOwnPhoto(url);
  const changed = (url: string | null): string | null => (isOwn(url) ? change(url) : url);
  return rows.map((streamed) => {
    const { imageUrl, imageUrlBack } = streamed.row;
    if (!isOwn(imageUrl) && !isOwn(imageUrlBack)) return streamed;
    return { ...streamed, row: { ...streamed.row, imageUrl: changed(imageUrl), imageUrlBack: changed(imageUrlBack) } };
  });
}

import { createHash } from "node:crypto";
import { LARGEST_PHOTO_BYTES } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { HttpError } from "../../http/http-error.ts";
import type { ScanImagesService } from "./row-photos.service.ts";
import type { ScansService, Viewer } from "../sessions/sessions.service.ts";
import { judgePicture, LARGEST_MEGAPIXELS, plainPhoto } from "./decoding.ts";
import type { ImagesService, Picture } from "./images.service.ts";

export type OwnPhotosService = ReturnType<typeof createOwnPhotosService>;
export type OwnPhotosParts = {
  scans: Pick<ScansService, "authorizeRow">;
  scanImages: ScanImagesService;
  images: Pick<ImagesService, "forget">;
};

export const PHOTO_TOO_LARGE = `The photo is larger than ${LARGEST_PHOTO_BYTES / 1_000_000} MB. Please choose a smaller one, or set the camera to save smaller photos`;
export const NO_PHOTO = "Photos must be JPEG, PNG, WebP or AVIF. Please save the picture in one of these formats";

/** Stores and serves the users' own photos of cards. */
export function createOwnPhotosService({ scans, scanImages, images }: OwnPhotosParts) {
  return {
    /**
     * Replaces the grader's picture on one side of a found row with a photo. Removes the photo's metadata.
     *
     * @throws HttpError 404 if the row doesn't exist or belongs to another user, 409 if its card wasn't found, 400 or
     *   413 if the photo can't be used
     */
    async put(viewer: Viewer, rowId: string, side: ImageSide, photo: Buffer): Promise<ResultRow> {
      const row = await scans.authorizeRow(viewer, rowId);
      const { row: changed, gone } = await scanImages.showPhoto(viewer, row, side, await usable(photo));
      if (gone !== null) await images.forget(gone);
      return changed;
    },

    /** Restores the grader's picture. @throws HttpError 404 if the row doesn't exist or has no photo on this side */
    async remove(viewer: Viewer, rowId: string, side: ImageSide): Promise<ResultRow> {
      const row = await scans.authorizeRow(viewer, rowId);
      const { row: changed, gone } = await scanImages.hidePhoto(viewer, row, side);
      if (gone !== null) await images.forget(gone);
      return changed;
    },

    /** @throws HttpError 404 if the photo doesn't exist or belongs to another user's row */
    async photo(viewer: Viewer, photoId: string): Promise<Picture> {
      const bytes = await scanImages.photo(viewer, photoId);
      return { bytes, contentType: "image/jpeg", etag: createHash("sha256").update(bytes).digest("base64url") };
    },
  };
}

/** @throws HttpError 400 or 413 with a message for the user */
async function usable(photo: Buffer): Promise<Buffer> {
  const judged = await judgePicture(photo);
  if (judged.kind === "too_many_pixels") {
    throw new HttpError(
      413,
      "too_large",
      `The photo has more than ${LARGEST_MEGAPIXELS} million pixels. Please choose a smaller one`,
    );
  }
  if (judged.kind === "no_picture") throw new HttpError(400, "bad_request", NO_PHOTO, { cause: judged.cause });
  try {
    return await plainPhoto(photo);
  } catch (error) {
    throw new HttpError(400, "bad_request", "The photo is damaged or incomplete. Please take or choose another one", {
      cause: error,
    });
  }
}

import { type ImageSide, resultRowSchema } from "@slabdesk/contract/api/results.ts";
import { apiUrl, request } from "./http.ts";
import { rowPath } from "./paths.ts";

/** A photo can be large and a phone's network slow. */
const PHOTO_TIMEOUT_MS = 180_000;

/** Replaces one side's image with the user's photo and returns the updated row. */
export const putPhoto = (rowId: string, side: ImageSide, photo: Blob) =>
  request(resultRowSchema, rowPath(rowId, `image/${side}`), {
    method: "put",
    body: photo,
    headers: { "content-type": photo.type },
    timeoutMs: PHOTO_TIMEOUT_MS,
  });

/** Removes the user's photo from a side, which restores the grader's image. */
export const deletePhoto = (rowId: string, side: ImageSide) =>
  request(resultRowSchema, rowPath(rowId, `image/${side}`), { method: "delete" });

/** Swaps a row's front and back images and returns the updated row. */
export const swapImages = (resultId: string) =>
  request(resultRowSchema, rowPath(resultId, "images"), { method: "patch", json: { swap: true } });

/** URL of a row's image on our server. `width`, in device pixels, selects a thumbnail; omit it for full size. */
export function imageUrl(resultId: string, side: ImageSide, width?: number): string {
  return apiUrl(rowPath(resultId, `image/${side}`), { width });
}

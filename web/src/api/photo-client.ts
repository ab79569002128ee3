import { type ImageSide, resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { request } from "./http.ts";

/** A photo can be large and a phone's network slow. */
const PHOTO_TIMEOUT_MS = 180_000;

const pathOf = (rowId: string, side: ImageSide): string => `scan-results/${encodeURIComponent(rowId)}/image/${side}`;

/** Replaces one side's image with the user's photo and returns the updated row. */
export function putPhoto(rowId: string, side: ImageSide, photo: Blob): Promise<ResultRow> {
  return request(resultRowSchema, pathOf(rowId, side), {
    method: "put",
    body: photo,
    headers: { "content-type": photo.type },
    timeoutMs: PHOTO_TIMEOUT_MS,
  });
}

/** Removes the user's photo from a side, which restores the grader's image. */
export function deletePhoto(rowId: string, side: ImageSide): Promise<ResultRow> {
  return request(resultRowSchema, pathOf(rowId, side), { method: "delete" });
}

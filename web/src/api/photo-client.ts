import { type ImageSide, resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { request } from "./http.ts";

/** A photo may be large, and a phone's network slow. */
const PHOTO_TIMEOUT_MS = 180_000;

const pathOf = (rowId: string, side: ImageSide): string => `scan-results/${encodeURIComponent(rowId)}/image/${side}`;

/** Puts the person's own photo in place of a side and answers the row as it is now. */
export function putPhoto(rowId: string, side: ImageSide, photo: Blob): Promise<ResultRow> {
  return request(resultRowSchema, pathOf(rowId, side), {
    method: "put",
    body: photo,
    headers: { "content-type": photo.type },
    timeout: PHOTO_TIMEOUT_MS,
  });
}

/** Takes the own photo of a side away: it has the grader's picture again. */
export function deletePhoto(rowId: string, side: ImageSide): Promise<ResultRow> {
  return request(resultRowSchema, pathOf(rowId, side), { method: "delete" });
}

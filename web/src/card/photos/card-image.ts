import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { imageUrl } from "../../api/rows.ts";
import { pictureOf } from "../image-messages.ts";

/** The width of the table's thumbnails. */
export const THUMB_CSS_WIDTH = 34;

/** Wide enough for a slab in the card view. Larger zoom levels load the full size. */
const CARD_WIDTH = 1536;

/** The URL of a row's picture at its displayed width. Two sizes keep the server's thumbnail cache small. */
export function thumbnailSource(row: ResultRow, side: ImageSide, cssWidth: number): string | null {
  return sourceOf(row, side, cssWidth * (window.devicePixelRatio > 1 ? 2 : 1));
}

/** The URL of the card view's picture. `full` is the host's original. */
export function pictureSource(row: ResultRow, side: ImageSide, size: "card" | "full"): string | null {
  return sourceOf(row, side, size === "card" ? CARD_WIDTH : undefined);
}

/** Has a fingerprint of the source, so that after a swap the browser's cache doesn't return the other side. */
function sourceOf(row: ResultRow, side: ImageSide, width: number | undefined): string | null {
  const original = pictureOf(row, side);
  return original === null ? null : imageUrl(row.id, side, { width, of: markOf(original) });
}

const MARK_RANGE = 2 ** 32;

function markOf(text: string): string {
  let mark = 0;
  for (let index = 0; index < text.length; index += 1) mark = (mark * 31 + text.charCodeAt(index)) % MARK_RANGE;
  return mark.toString(36);
}

import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import { type ImageFlag, type ImageSide, type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { imageUrl } from "../api/rows.ts";

export const SIDES: readonly ImageSide[] = ["front", "back"];

export const SIDE_NAMES: Record<ImageSide, string> = { front: "Front", back: "Back" };

export const IMAGE_FLAG_LABELS: Record<ImageFlag, string> = {
  no_image: "No image",
  one_side: "One side only",
  same_sides: "Same image on both sides",
};

type ImageUrls = Pick<ResultRow, "imageUrl" | "imageUrlBack">;

/** The stored URL of one side's image; null if there is none. */
export function storedUrlOf(row: ImageUrls, side: ImageSide): string | null {
  const url = side === "front" ? row.imageUrl : row.imageUrlBack;
  return url === "" || url === NOT_AVAILABLE ? null : url;
}

export const hasOwnPhoto = (row: ImageUrls, side: ImageSide): boolean => isOwnPhoto(storedUrlOf(row, side));

export function imageFlagMessage(row: ImageUrls & Pick<ResultRow, "imageFlags">): string[] {
  const messages: Record<ImageFlag, string> = {
    no_image: "The card has no image",
    one_side: `Only the ${storedUrlOf(row, "front") === null ? "back" : "front"} has an image`,
    same_sides: "Front and back are the same image",
  };
  return row.imageFlags.map((flag) => messages[flag]);
}

/** The width of the table's thumbnails. */
export const THUMB_CSS_WIDTH = 34;

/** Device pixels, enough for a slab in the card view. Larger zoom levels load the full size. */
export const CARD_WIDTH = 1536;

/** The URL of a row's image at its displayed width. Two sizes keep the server's thumbnail cache small. */
export const thumbnailSource = (row: ResultRow, side: ImageSide, cssWidth = THUMB_CSS_WIDTH): string | null =>
  imageSource(row, side, cssWidth * (window.devicePixelRatio > 1 ? 2 : 1));

/**
 * The URL of a row's image; without `width`, of the host's original. Has a fingerprint of the source, so that after a
 * swap the browser's cache doesn't return the other side.
 */
export function imageSource(row: ResultRow, side: ImageSide, width?: number): string | null {
  const original = storedUrlOf(row, side);
  return original === null ? null : imageUrl(row.id, side, { width, of: markOf(original) });
}

const MARK_RANGE = 2 ** 32;

function markOf(text: string): string {
  let mark = 0;
  for (let index = 0; index < text.length; index += 1) mark = (mark * 31 + text.charCodeAt(index)) % MARK_RANGE;
  return mark.toString(36);
}

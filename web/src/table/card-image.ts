import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { imageUrl } from "../api/client.ts";
import { hasImage } from "./row-words.ts";

/**
 * Where a row's picture is fetched from, or null when the grader gave none. The address carries a mark of the
 * picture behind it, so that after a swap the browser does not show the other side from its cache.
 */
export function cardImageSource(row: ResultRow, side: ImageSide, cssWidth?: number): string | null {
  const original = side === "front" ? row.imageUrl : row.imageUrlBack;
  if (!hasImage(original)) return null;
  const address = imageUrl(row.id, side, cssWidth === undefined ? undefined : devicePixels(cssWidth));
  return `${address}${address.includes("?") ? "&" : "?"}of=${markOf(original)}`;
}

/** Two steps are enough for all screens, and keep the server's cache of thumbnails small. */
function devicePixels(cssWidth: number): number {
  return cssWidth * (window.devicePixelRatio > 1 ? 2 : 1);
}

const MARK_RANGE = 2 ** 32;

function markOf(text: string): string {
  let mark = 0;
  for (let index = 0; index < text.length; index += 1) mark = (mark * 31 + text.charCodeAt(index)) % MARK_RANGE;
  return mark.toString(36);
}

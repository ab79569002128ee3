import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { imageUrl } from "../api/client.ts";
import { pictureOf } from "./image-messages.ts";

/** Wide enough for a slab in a dialog; what is enlarged beyond it is fetched in full size. */
const DIALOG_WIDTH = 1536;

/** Where a row's picture is fetched from in the width it is shown in; null when there is none. */
export function thumbnailSource(row: ResultRow, side: ImageSide, cssWidth: number): string | null {
  return sourceOf(row, side, devicePixels(cssWidth));
}

/** The same for the dialog: `full` is the picture as its host gives it. */
export function pictureSource(row: ResultRow, side: ImageSide, size: "dialog" | "full"): string | null {
  return sourceOf(row, side, size === "dialog" ? DIALOG_WIDTH : undefined);
}

/**
 * The address carries a mark of the picture behind it, so that after a swap the browser does not show the other side from
 * its cache.
 */
function sourceOf(row: ResultRow, side: ImageSide, width: number | undefined): string | null {
  const original = pictureOf(row, side);
  if (original === null) return null;
  const address = imageUrl(row.id, side, width);
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

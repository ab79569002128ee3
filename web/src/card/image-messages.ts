import { isOwnPhoto } from "@slabdesk/contract/api/photos.ts";
import type { ImageFlag, ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";

export const SIDES: readonly ImageSide[] = ["front", "back"];

export const SIDE_NAMES: Record<ImageSide, string> = { front: "Front", back: "Back" };

export const IMAGE_FLAG_LABELS: Record<ImageFlag, string> = {
  no_image: "No image",
  one_side: "One side only",
  same_sides: "Same picture on both sides",
};

type Pictures = Pick<ResultRow, "imageUrl" | "imageUrlBack">;

/** The URL of one side's picture; null if there is none. */
export function pictureOf(row: Pictures, side: ImageSide): string | null {
  const url = side === "front" ? row.imageUrl : row.imageUrlBack;
  return url === "" || url === NOT_AVAILABLE ? null : url;
}

export const hasOwnPhoto = (row: Pictures, side: ImageSide): boolean => isOwnPhoto(pictureOf(row, side));

export function imageFlagMessage(row: Pictures & Pick<ResultRow, "imageFlags">): string[] {
  const messages: Record<ImageFlag, string> = {
    no_image: "The card has no image",
    one_side: `Only the ${pictureOf(row, "front") === null ? "back" : "front"} has an image`,
    same_sides: "Front and back are the same picture",
  };
  return row.imageFlags.map((flag) => messages[flag]);
}

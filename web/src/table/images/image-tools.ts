import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { OwnPhotos } from "./use-own-photos.ts";

/** The image dialog's actions. */
export type ImageTools = {
  /** Swaps front and back if the row has both. */
  swap: (row: ResultRow) => void;
  /** Rows with a swap in progress. */
  swapping: ReadonlySet<string>;
  photos: OwnPhotos;
  onHistory: (row: ResultRow) => void;
};

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { OwnPhotos } from "./use-own-photos.ts";

/** What the image dialog can do besides showing a card. */
export type ImageTools = {
  /** Exchanges front and back, where a row has both. */
  swap: (row: ResultRow) => void;
  /** Rows of which this is under way. */
  swapping: ReadonlySet<string>;
  photos: OwnPhotos;
  onHistory: (row: ResultRow) => void;
};

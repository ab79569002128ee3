import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewReason } from "@slabdesk/contract/review/reasons.ts";

/** What the surroundings of a card view can do with its row. */
export type CardActions = {
  isRunning: boolean;
  onRetry: (row: ResultRow) => void;
  /** Corrects the number in the table. */
  onEdit: (row: ResultRow) => void;
  swap: (row: ResultRow) => void;
  /** Rows with a swap in progress. */
  swapping: ReadonlySet<string>;
  reasonsOf: (row: ResultRow) => readonly ReviewReason[];
  /** Marks a row reviewed, or clears the mark. */
  onMarkReviewed: (row: ResultRow) => void;
  /** Rows whose price Get Price is fetching. */
  fetching: ReadonlySet<string>;
  /** Null if no price source is on. */
  onGetPrice: ((row: ResultRow) => void) | null;
  offerRule: OfferRule | null;
  onEditOffers: (() => void) | null;
  /** Handles a letter key of the table for this row; false if it does nothing. */
  onRowKey: (key: string, row: ResultRow) => boolean;
};

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewAction } from "@slabdesk/contract/review/reasons.ts";
import type { ReasonsOf } from "./use-review-reasons.ts";

/** What a table can do about rows that need a look; one object until something in it changes. */
export type ReviewTools = {
  /** Whether the rows are shown for that. */
  isOn: boolean;
  reasonsOf: ReasonsOf;
  /** The one thing to do about the row's first reason; null when there is none, or nothing can be done here. */
  actionOf: (row: ResultRow) => RowAction | null;
  /** Says that a row needs no further look, or, of one that was said of, takes it back. */
  onMarkReviewed: (row: ResultRow) => void;
};

export type RowAction = { name: ReviewAction; label: string; run: () => void };

export const ACTION_LABELS: Record<ReviewAction, string> = {
  edit_number: "Edit number",
  retry: "Retry",
  get_price: "Get price",
  open_prices: "See prices",
  add_photo: "Add photo",
  open_images: "See images",
  looks_right: "Looks right",
};

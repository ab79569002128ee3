import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewAction } from "@slabdesk/contract/review/reasons.ts";
import type { ReasonsOf } from "./use-review-reasons.ts";

/** A table's review actions; stable until a part of it changes. */
export type ReviewTools = {
  /** Whether the table shows the rows that need review. */
  isOn: boolean;
  reasonsOf: ReasonsOf;
  /** The suggested action for the row's first reason; null if there is none or the table is read-only. */
  actionOf: (row: ResultRow) => RowAction | null;
  /** Marks a row reviewed, or clears the mark if it was reviewed. */
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

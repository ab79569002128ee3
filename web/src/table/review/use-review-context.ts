import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewAction } from "@slabdesk/contract/review/reasons.ts";
import { useMemo } from "react";
import type { CardDialog } from "../../card/use-card-dialog.ts";
import type { PriceContext } from "../prices/price-context.ts";
import type { Reviewed } from "./use-reviewed.ts";
import type { ReasonsOf } from "./use-review-reasons.ts";

/** A table's review actions; stable until a part of it changes. */
export type ReviewContext = {
  /** Whether the table shows the rows that need review. */
  isOn: boolean;
  reasonsOf: ReasonsOf;
  /** The suggested action for the row's first reason; null if there is none or the table is read-only. */
  actionOf: (row: ResultRow) => RowAction | null;
  /** Marks a row reviewed, or clears the mark if it was reviewed. */
  onMarkReviewed: (row: ResultRow) => void;
};

type RowAction = { name: ReviewAction; label: string; run: () => void };

const ACTION_LABELS: Record<ReviewAction, string> = {
  edit_number: "Edit number",
  retry: "Retry",
  get_price: "Get price",
  open_prices: "See prices",
  add_photo: "Add photo",
  open_images: "See images",
  looks_right: "Looks right",
};

type Handler = (row: ResultRow) => void;

type ReviewContextOptions = {
  isOn: boolean;
  reasonsOf: ReasonsOf;
  reviewed: Reviewed;
  onEdit: Handler;
  onRetry: Handler;
  onOpen: CardDialog["open"];
  prices: PriceContext;
  /** Called before the active row and its focused button disappear, so that the grid takes the focus. */
  onLeave: () => void;
};

/** The review actions available in a table. */
export function useReviewContext(options: ReviewContextOptions): ReviewContext {
  const { isOn, reasonsOf, reviewed, onEdit, onRetry, onOpen, prices, onLeave } = options;
  const { onGetPrice, onOpenPrices } = prices;
  return useMemo((): ReviewContext => {
    const leaving =
      (handler: Handler): Handler =>
      (row) => {
        onLeave();
        handler(row);
      };
    const markReviewed = (row: ResultRow): void => {
      onLeave();
      if (row.reviewedAt !== null) reviewed.unmark([row]);
      else if (reasonsOf(row).length > 0) reviewed.mark([row]);
    };
    const handlers: Record<ReviewAction, Handler | null> = {
      edit_number: onEdit,
      retry: leaving(onRetry),
      get_price: onGetPrice && leaving(onGetPrice),
      open_prices: onOpenPrices,
      add_photo: (row) => onOpen(row, "photos"),
      open_images: (row) => onOpen(row, "photos"),
      looks_right: markReviewed,
    };
    return {
      isOn,
      reasonsOf,
      onMarkReviewed: markReviewed,
      actionOf: (row) => {
        const name = reasonsOf(row)[0]?.action;
        const handler = name && handlers[name];
        return handler ? { name, label: ACTION_LABELS[name], run: () => handler(row) } : null;
      },
    };
  }, [isOn, reasonsOf, reviewed, onEdit, onRetry, onOpen, onGetPrice, onOpenPrices, onLeave]);
}

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewAction } from "@slabdesk/contract/review/reasons.ts";
import { useMemo } from "react";
import type { CardDialog } from "../../card/use-card-dialog.ts";
import type { Reviewed } from "./use-reviewed.ts";
import type { ReasonsOf } from "./use-review-reasons.ts";

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

type ReviewActionsOptions = {
  reasonsOf: ReasonsOf;
  reviewed: Reviewed;
  onEdit: Handler;
  onRetry: Handler;
  onOpen: CardDialog["open"];
  onGetPrice: Handler | null;
  /** Called before the active row and its focused button disappear, so that the grid takes the focus. */
  onLeave: () => void;
};

export type ReviewActions = ReturnType<typeof useReviewActions>;

export function useReviewActions(options: ReviewActionsOptions) {
  const { reasonsOf, reviewed, onEdit, onRetry, onOpen, onGetPrice, onLeave } = options;
  return useMemo(() => {
    const leaving = (handler: Handler) => (row: ResultRow) => {
      onLeave();
      handler(row);
    };
    const markReviewed = leaving((row) => {
      if (row.reviewedAt !== null) reviewed.unmark([row]);
      else if (reasonsOf(row).length > 0) reviewed.mark([row]);
    });
    const handlers: Record<ReviewAction, Handler | null> = {
      edit_number: onEdit,
      retry: leaving(onRetry),
      get_price: onGetPrice && leaving(onGetPrice),
      open_prices: (row) => onOpen(row, "market"),
      add_photo: (row) => onOpen(row, "photos"),
      open_images: (row) => onOpen(row, "photos"),
      looks_right: markReviewed,
    };
    return {
      /** Marks a row reviewed, or clears the mark if it was reviewed. */
      onMarkReviewed: markReviewed,
      /** The suggested action for the row's first reason; null if there is none or the table is read-only. */
      actionOf: (row: ResultRow) => {
        const name = reasonsOf(row)[0]?.action;
        const handler = name && handlers[name];
        return handler ? { name, label: ACTION_LABELS[name], run: () => handler(row) } : null;
      },
    };
  }, [reasonsOf, reviewed, onEdit, onRetry, onOpen, onGetPrice, onLeave]);
}

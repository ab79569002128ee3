import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewAction } from "@slabdesk/contract/review/reasons.ts";
import { useMemo } from "react";
import type { PriceTools } from "../prices/price-tools.ts";
import { ACTION_LABELS, type ReviewTools } from "./review-tools.ts";
import type { Reviewed } from "./use-reviewed.ts";
import type { ReasonsOf } from "./use-review-reasons.ts";

type Handler = (row: ResultRow) => void;

type ReviewToolsOptions = {
  isOn: boolean;
  reasonsOf: ReasonsOf;
  reviewed: Reviewed;
  onEdit: Handler;
  onRetry: Handler;
  onOpenImages: (row: ResultRow) => void;
  prices: PriceTools;
  /** Called before the active row and its focused button disappear, so that the grid takes the focus. */
  onLeave: () => void;
};

/** The review actions available in a table. */
export function useReviewTools(options: ReviewToolsOptions): ReviewTools {
  const { isOn, reasonsOf, reviewed, onEdit, onRetry, onOpenImages, prices, onLeave } = options;
  const { onGetPrice, onOpenPrices } = prices;
  return useMemo((): ReviewTools => {
    const leaving =
      (handler: Handler): Handler =>
      (row) => {
        onLeave();
        handler(row);
      };
    const markReviewed = (row: ResultRow): void => {
      onLeave();
      if (row.reviewedAt !== null) reviewed.unmark(row);
      else if (reasonsOf(row).length > 0) reviewed.mark([row]);
    };
    const handlers: Record<ReviewAction, Handler | null> = {
      edit_number: onEdit,
      retry: leaving(onRetry),
      get_price: onGetPrice && leaving(onGetPrice),
      open_prices: onOpenPrices,
      add_photo: onOpenImages,
      open_images: onOpenImages,
      looks_right: markReviewed,
    };
    return {
      isOn,
      reasonsOf,
      onMarkReviewed: markReviewed,
      actionOf: (row) => {
        const name = reasonsOf(row)[0]?.action;
        const handler = name === undefined ? null : handlers[name];
        return name === undefined || handler === null
          ? null
          : { name, label: ACTION_LABELS[name], run: () => handler(row) };
      },
    };
  }, [isOn, reasonsOf, reviewed, onEdit, onRetry, onOpenImages, onGetPrice, onOpenPrices, onLeave]);
}

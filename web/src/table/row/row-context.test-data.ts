import type { RowContext } from "./row-context.ts";
import { reasonsWith } from "../review/use-review-reasons.ts";

const nothing = (): void => {};

/** `RowContext` whose functions do nothing. */
export function aRowContext(fields: Partial<RowContext> = {}): RowContext {
  return {
    isRunning: false,
    onOpenImages: nothing,
    onSwap: nothing,
    onEdit: nothing,
    onEnter: nothing,
    onRetry: nothing,
    onHistory: nothing,
    prices: { fetching: new Set(), onGetPrice: null, onOpenPrices: nothing, offerRule: null },
    review: { isOn: false, reasonsOf: reasonsWith(500, null), actionOf: () => null, onMarkReviewed: nothing },
    lookups: new Map(),
    describeError: null,
    onSelect: nothing,
    ...fields,
  };
}

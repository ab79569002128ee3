import type { RowContext } from "./row-context.ts";
import { reasonsWith } from "../review/use-review-reasons.ts";

const nothing = (): void => {};

/** `RowContext` whose functions do nothing. */
export function aRowContext(fields: Partial<RowContext> = {}): RowContext {
  return {
    isRunning: false,
    onSwap: nothing,
    onEdit: nothing,
    onRetry: nothing,
    onOpen: nothing,
    prices: { fetching: new Set(), onGetPrice: null, onOpenPrices: nothing, offerRule: null },
    review: {
      isOn: false,
      reasonsOf: reasonsWith({ highValue: 500, doubtsFrom: 50 }, null),
      actionOf: () => null,
      onMarkReviewed: nothing,
    },
    lookups: new Map(),
    describeError: null,
    onSelect: nothing,
    ...fields,
  };
}

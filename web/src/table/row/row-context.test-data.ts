import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { reasonsOf } from "@slabdesk/contract/review/reasons.ts";
import type { CellProps, RowContext } from "./row-context.ts";

const nothing = (): void => {};

/** `RowContext` whose functions do nothing. */
export function aRowContext(fields: Partial<RowContext> = {}): RowContext {
  return {
    isRunning: false,
    isReview: false,
    onSwap: nothing,
    onEdit: nothing,
    onRetry: nothing,
    onOpen: nothing,
    onSelect: nothing,
    fetching: new Set(),
    onGetPrice: null,
    offerRule: null,
    reasonsOf: (row) => reasonsOf(row, { highValue: 500, doubtsFrom: 50, isTwiceOpen: false }),
    actionOf: () => null,
    onMarkReviewed: nothing,
    lookups: new Map(),
    describeError: null,
    ...fields,
  };
}

/** A row's cell, in the active row. */
export function aCell(row: ResultRow, context: Partial<RowContext> = {}): CellProps {
  return { row, context: aRowContext(context), tabIndex: 0, isSelected: false };
}

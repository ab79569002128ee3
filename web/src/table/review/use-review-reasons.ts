import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type LookOptions, type ReviewReason, reasonsOf } from "@slabdesk/contract/review/reasons.ts";
import { useMemo } from "react";
import type { SessionLookupHistory } from "../../run/use-session-lookup-history.ts";

/** Why a row needs review, most important reason first. */
export type ReasonsOf = (row: ResultRow) => readonly ReviewReason[];

/** The amounts that a person sets for the review. */
export type ReviewThresholds = Omit<LookOptions, "isTwiceOpen">;

/**
 * Caches each row's reasons. Rows are immutable, so the cache is valid until a threshold or the look-up history
 * changes.
 */
export function reasonsWith(thresholds: ReviewThresholds, lookups: SessionLookupHistory | null): ReasonsOf {
  const known = new WeakMap<ResultRow, readonly ReviewReason[]>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const reasons = reasonsOf(row, { ...thresholds, isTwiceOpen: lookups?.get(row.id)?.isTwiceOpen ?? false });
    known.set(row, reasons);
    return reasons;
  };
}

export function useReviewReasons(
  { highValue, doubtsFrom }: ReviewThresholds,
  lookups: SessionLookupHistory | null,
): ReasonsOf {
  return useMemo(() => reasonsWith({ highValue, doubtsFrom }, lookups), [highValue, doubtsFrom, lookups]);
}

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type LookOptions, type ReviewReason, reasonsOf } from "@slabdesk/contract/review/reasons.ts";
import { useMemo } from "react";
import type { SessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import { cached } from "../row/cached.ts";

/** Why a row needs review, most important reason first. */
export type ReasonsOf = (row: ResultRow) => readonly ReviewReason[];

/** The amounts that a person sets for the review. */
export type ReviewThresholds = Omit<LookOptions, "isTwiceOpen">;

/** Each row's reasons, valid until a threshold or the look-up history changes. */
export function reasonsWith(thresholds: ReviewThresholds, lookups: SessionLookupHistory | null): ReasonsOf {
  return cached((row: ResultRow) =>
    reasonsOf(row, { ...thresholds, isTwiceOpen: lookups?.get(row.id)?.isTwiceOpen ?? false }),
  );
}

export function useReviewReasons({ highValue, doubtsFrom }: ReviewThresholds, lookups: SessionLookupHistory) {
  return useMemo(() => reasonsWith({ highValue, doubtsFrom }, lookups), [highValue, doubtsFrom, lookups]);
}

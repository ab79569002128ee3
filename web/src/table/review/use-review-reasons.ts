import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ReviewOptions, type ReviewReason, reasonsOf } from "@slabdesk/contract/review/reasons.ts";
import { useMemo, useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { SessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import { cached } from "../row/cached.ts";

/** Why a row needs review, most important reason first. */
export type ReasonsOf = (row: ResultRow) => readonly ReviewReason[];

/** Upper bound of a threshold, in dollars. */
export const HIGHEST_VALUE = 10_000_000;

/** The amounts that a person sets for the review. */
export type ReviewThresholds = Omit<ReviewOptions, "isTwiceOpen">;

type RowIds = ReadonlySet<string>;
const NONE: RowIds = new Set();

/** Each row's reasons, with the ids of the rows whose cards are in two open sessions. */
export function reasonsWith(thresholds: ReviewThresholds, twiceOpen: RowIds = NONE): ReasonsOf {
  return cached((row: ResultRow) => reasonsOf(row, { ...thresholds, isTwiceOpen: twiceOpen.has(row.id) }));
}

/** Changes with a threshold, or with a lookup history that matters: all rows' reasons take a while. */
export function useReasons({ highValue, doubtsFrom }: ReviewThresholds, lookups: SessionLookupHistory): ReasonsOf {
  const twiceOpen = useMemo(() => twiceOpenIn(lookups), [lookups]);
  return useMemo(() => reasonsWith({ highValue, doubtsFrom }, twiceOpen), [highValue, doubtsFrom, twiceOpen]);
}

function twiceOpenIn(lookups: SessionLookupHistory): RowIds {
  const ids = [...lookups].flatMap(([id, { isTwiceOpen }]) => (isTwiceOpen ? [id] : []));
  return ids.length === 0 ? NONE : new Set(ids);
}

/** Review progress: rows left, and rows done that needed review before. */
export type ReviewProgress = { left: number; worked: number };

type Seen = { sessionId: string | null; ids: RowIds; rows: RowsSnapshot; reasonsOf: ReasonsOf };

/** A row is done once it no longer needs review for whatever action, but not because a threshold has changed. */
export function useReviewProgress(all: RowsSnapshot, reasonsOf: ReasonsOf, isOn: boolean): ReviewProgress {
  const [seen, setSeen] = useState<Seen | null>(null);
  const sessionId = all[0]?.sessionId ?? null;
  if (isOn && (seen?.rows !== all || seen.reasonsOf !== reasonsOf)) {
    const before = seen?.sessionId === sessionId ? workedOf(seen, reasonsOf, all) : NONE;
    const fresh = all.filter((row) => !before.has(row.id) && reasonsOf(row).length > 0);
    const ids = fresh.length === 0 ? before : new Set([...before, ...fresh.map(({ id }) => id)]);
    setSeen({ sessionId, reasonsOf, rows: all, ids });
  }
  const ids = seen?.ids;
  return useMemo(() => {
    let [left, worked] = [0, 0];
    for (const row of all) {
      if (reasonsOf(row).length > 0) left += 1;
      else if (row.reviewedAt !== null || ids?.has(row.id) === true) worked += 1;
    }
    return { left, worked };
  }, [all, reasonsOf, ids]);
}

/** The rows seen so far. If the reasons function changed, drops rows that still needed review by the old one. */
function workedOf(seen: Seen, reasonsOf: ReasonsOf, all: RowsSnapshot): RowIds {
  if (seen.reasonsOf === reasonsOf) return seen.ids;
  const unreviewed = new Set(all.filter((row) => seen.reasonsOf(row).length > 0).map(({ id }) => id));
  return new Set([...seen.ids].filter((id) => !unreviewed.has(id)));
}

import { useMemo, useState } from "react";
import type { RowsSnapshot } from "../rows-store.ts";
import type { ReasonsOf } from "./use-review-reasons.ts";

/** How far the rows that need a look are worked: those left, and those that have needed one and do not any more. */
export type ReviewProgress = { left: number; worked: number };

type Seen = { sessionId: string | null; ids: ReadonlySet<string>; rows: RowsSnapshot; reasonsOf: ReasonsOf };

/**
 * A row counts as worked once it has left the view, by whatever was done about it, or when somebody has said that it
 * looks right, also before. Counted while the view is on. What is let go by another high value was not worked.
 */
export function useReviewProgress(all: RowsSnapshot, reasonsOf: ReasonsOf, isOn: boolean): ReviewProgress {
  const [seen, setSeen] = useState<Seen | null>(null);
  const sessionId = all[0]?.sessionId ?? null;
  if (isOn && (seen?.rows !== all || seen.reasonsOf !== reasonsOf)) {
    const before = seen?.sessionId === sessionId ? workedOf(seen, reasonsOf, all) : NONE;
    setSeen({ sessionId, reasonsOf, rows: all, ids: withNeedy(before, all, reasonsOf) });
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

const NONE: ReadonlySet<string> = new Set();

/** Of the rows seen, those to go on with: all, but for those that still needed a look by other reasons than those of now. */
function workedOf(seen: Seen, reasonsOf: ReasonsOf, all: RowsSnapshot): ReadonlySet<string> {
  if (seen.reasonsOf === reasonsOf) return seen.ids;
  const needy = new Set(all.filter((row) => seen.reasonsOf(row).length > 0).map(({ id }) => id));
  return new Set([...seen.ids].filter((id) => !needy.has(id)));
}

/** The very same set while nothing is new to it. */
function withNeedy(before: ReadonlySet<string>, all: RowsSnapshot, reasonsOf: ReasonsOf): ReadonlySet<string> {
  const fresh = all.filter((row) => !before.has(row.id) && reasonsOf(row).length > 0);
  return fresh.length === 0 ? before : new Set([...before, ...fresh.map(({ id }) => id)]);
}

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type LookReason, reasonsOf } from "@slabdesk/contract/look/reasons.ts";
import { useMemo } from "react";
import type { SessionMemory } from "../use-session-memory.ts";

/** Why a row needs a look, what weighs most first. */
export type ReasonsOf = (row: ResultRow) => readonly LookReason[];

/** Rows are never changed in place, so the reasons of each are worked out once while what is remembered stays the same. */
export function reasonsWith(highValue: number | null, memory: SessionMemory | null): ReasonsOf {
  const known = new WeakMap<ResultRow, readonly LookReason[]>();
  return (row) => {
    const before = known.get(row);
    if (before !== undefined) return before;
    const reasons = reasonsOf(row, { highValue, isTwiceOpen: memory?.get(row.id)?.isTwiceOpen ?? false });
    known.set(row, reasons);
    return reasons;
  };
}

export function useLookReasons(highValue: number | null, memory: SessionMemory | null): ReasonsOf {
  return useMemo(() => reasonsWith(highValue, memory), [highValue, memory]);
}

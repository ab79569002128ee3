import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { isError, isFound } from "@slabdesk/contract/review/row-state.ts";
import { useEffect, useEffectEvent, useRef } from "react";
import { rowTitle } from "../../card/row-messages.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { toast } from "../../ui/toast.tsx";
import { counted } from "../../ui/format-numbers.ts";

type FoundNewsOptions = {
  all: RowsSnapshot;
  shown: RowsSnapshot;
  /** Shows a row that a filter hides. */
  onShow: (row: ResultRow) => void;
};

/** Says that a failed row was found after all if it has left the shown rows, with a button that shows it. */
export function useFoundNews({ all, shown, onShow }: FoundNewsOptions): void {
  const seen = useRef<{ rows: RowsSnapshot; retried: ReadonlySet<string> }>({ rows: all, retried: new Set() });
  const announce = useEffectEvent((found: RowsSnapshot) => {
    const inView = new Set(shown.map(({ id }) => id));
    const [first, ...others] = found.filter(({ id }) => !inView.has(id));
    if (!first) return;
    toast.offer({
      id: "found",
      message:
        others.length === 0
          ? `Found: ${rowTitle(first) ?? first.certNumber}`
          : `Found: ${counted(others.length + 1, "card")}`,
      action: { label: "Show", run: () => onShow(first) },
    });
  });
  useEffect(() => {
    const { found, retried } = foundIn(seen.current.rows, all, seen.current.retried);
    seen.current = { rows: all, retried };
    if (found.length > 0) announce(found);
  }, [all]);
}

/** The rows that failed before and are found now, and those that failed before and are not settled again. */
export function foundIn(
  before: RowsSnapshot,
  now: RowsSnapshot,
  retriedBefore: ReadonlySet<string>,
): { found: RowsSnapshot; retried: ReadonlySet<string> } {
  const changed = now.filter((row, index) => row !== before[index]);
  if (changed.length === 0) return { found: changed, retried: retriedBefore };
  const ids = new Set(changed.map(({ id }) => id));
  const failed = new Set(before.filter((row) => ids.has(row.id) && isError(row)).map(({ id }) => id));
  const again = changed.filter(({ id }) => failed.has(id) || retriedBefore.has(id));
  const retried = new Set(retriedBefore);
  for (const row of again) {
    if (isFound(row) || isError(row)) retried.delete(row.id);
    else retried.add(row.id);
  }
  return { found: again.filter(isFound), retried };
}

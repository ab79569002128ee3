import { useLayoutEffect, useRef } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";

/**
 * When an action removes the active row from the visible rows, activates the next row, so that keyboard work can
 * continue. A change of filter, find text or sort (`listKey`) leaves the active row alone.
 */
export function useStepOn(
  rows: RowsSnapshot,
  listKey: string,
  activeId: string | null,
  onActivate: (id: string) => void,
): void {
  const before = useRef({ rows, listKey, activeId });
  useLayoutEffect(() => {
    const previous = before.current;
    before.current = { rows, listKey, activeId };
    if (activeId === null || previous.activeId !== activeId) return;
    if (previous.rows === rows || previous.listKey !== listKey) return;
    const next = nextOf(previous.rows, rows, activeId);
    if (next !== null) onActivate(next);
  }, [rows, listKey, activeId, onActivate]);
}

/** The next row to activate; null if the active row is still visible, wasn't visible before, or no row is left. */
export function nextOf(before: RowsSnapshot, now: RowsSnapshot, activeId: string): string | null {
  const place = before.findIndex(({ id }) => id === activeId);
  if (place < 0 || now.some(({ id }) => id === activeId)) return null;
  const left = new Set(now.map(({ id }) => id));
  const behind = before.slice(place + 1).find(({ id }) => left.has(id));
  return (behind ?? now.at(-1))?.id ?? null;
}

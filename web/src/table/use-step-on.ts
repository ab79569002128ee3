import { useLayoutEffect, useRef } from "react";
import type { RowsSnapshot } from "./rows-store.ts";

/**
 * When the active row leaves the rows shown, because something was done about it, the next one takes its place, so that
 * the keyboard goes on from there. Other rows that the user asks for (`viewKey`) leave the active row as it is.
 */
export function useStepOn(
  rows: RowsSnapshot,
  viewKey: string,
  activeId: string | null,
  onActivate: (id: string) => void,
): void {
  const before = useRef({ rows, viewKey, activeId });
  useLayoutEffect(() => {
    const previous = before.current;
    before.current = { rows, viewKey, activeId };
    if (activeId === null || previous.activeId !== activeId) return;
    if (previous.rows === rows || previous.viewKey !== viewKey) return;
    const next = nextOf(previous.rows, rows, activeId);
    if (next !== null) onActivate(next);
  }, [rows, viewKey, activeId, onActivate]);
}

/** The row to go on with; null when the active one is still there, was not shown before, or none is left. */
export function nextOf(before: RowsSnapshot, now: RowsSnapshot, activeId: string): string | null {
  const place = before.findIndex(({ id }) => id === activeId);
  if (place < 0 || now.some(({ id }) => id === activeId)) return null;
  const left = new Set(now.map(({ id }) => id));
  const behind = before.slice(place + 1).find(({ id }) => left.has(id));
  return (behind ?? now.at(-1))?.id ?? null;
}

import { type RefObject, useLayoutEffect, useRef } from "react";
import type { RowsSnapshot } from "./rows-store.ts";

/**
 * Keeps the rows in view where they are when rows arrive, leave or find their place above them: a filter can let a row
 * in anywhere, and a sort moves one that has come to its value. What is kept is the first row in view that is as it was.
 * When the user asks for other rows (`viewKey`), the list begins at the top again; another density keeps the place.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  rows: RowsSnapshot,
  viewKey: string,
  rowHeight: number,
): void {
  const before = useRef({ rows, viewKey, rowHeight });
  useLayoutEffect(() => {
    const element = scroller.current;
    const previous = before.current;
    before.current = { rows, viewKey, rowHeight };
    if (!element) return;
    if (previous.rowHeight !== rowHeight)
      element.scrollTo({ top: (element.scrollTop * rowHeight) / previous.rowHeight });
    if (previous.rows === rows) return;
    if (previous.viewKey !== viewKey) {
      element.scrollTo({ top: 0 });
      return;
    }
    const first = Math.floor(element.scrollTop / rowHeight);
    const moved = shiftOf(previous.rows, rows, { first, count: Math.ceil(element.clientHeight / rowHeight) });
    if (moved !== 0) element.scrollBy({ top: moved * rowHeight });
  }, [scroller, rows, viewKey, rowHeight]);
}

/**
 * By how many rows what was in view has moved; 0 at the top of the list, where what comes first is what is looked at,
 * and when nothing of it is left.
 */
export function shiftOf(before: RowsSnapshot, now: RowsSnapshot, view: { first: number; count: number }): number {
  if (view.first === 0 || before[view.first] === now[view.first]) return 0;
  const inView = before.slice(view.first, view.first + view.count);
  const places = new Map(inView.map((row) => [row, -1]));
  for (const [index, row] of now.entries()) if (places.has(row)) places.set(row, index);
  for (const [index, row] of inView.entries()) {
    const place = places.get(row) ?? -1;
    if (place >= 0) return place - (view.first + index);
  }
  return 0;
}

import { type RefObject, useLayoutEffect, useRef } from "react";
import type { RowsSnapshot } from "./rows-store.ts";

type Anchor = { id: string; index: number };

/**
 * Keeps the rows in view where they are when rows arrive above them: a filter can let a row in anywhere. When the
 * user asks for other rows (`viewKey`), the list begins at the top again; another density keeps the place.
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
    const anchor = anchorOf(previous.rows, Math.floor(element.scrollTop / rowHeight));
    if (!anchor) return;
    const moved = shiftOf(anchor, rows);
    if (moved !== 0) element.scrollBy({ top: moved * rowHeight });
  }, [scroller, rows, viewKey, rowHeight]);
}

function anchorOf(rows: RowsSnapshot, index: number): Anchor | null {
  const row = rows[index];
  return row && index > 0 ? { id: row.id, index } : null;
}

/** By how many rows the anchor has moved; 0 when it is gone. */
function shiftOf({ id, index }: Anchor, rows: RowsSnapshot): number {
  if (rows[index]?.id === id) return 0;
  const now = rows.findIndex((row) => row.id === id);
  return now < 0 ? 0 : now - index;
}

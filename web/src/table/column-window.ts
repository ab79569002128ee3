import { type RefObject, useLayoutEffect, useMemo, useState } from "react";
import type { ColumnLayout } from "./use-column-layout.ts";

/** The columns a row draws: the pinned ones, and of the others those in view. `skipped` is the width left out before them. */
export type ColumnWindow = { pinned: ColumnLayout[]; inView: ColumnLayout[]; skipped: number };

type View = { scrollLeft: number; width: number };

/** Moves of less than this leave the window as it is; that much more is drawn on either side. */
const STEP = 200;

/** Which columns are to be drawn, with `STEP` pixels to spare on either side. Widths in CSS pixels. */
export function columnWindow(columns: readonly ColumnLayout[], { scrollLeft, width }: View): ColumnWindow {
  const pinned = columns.filter((column) => column.isPinned);
  const pinnedWidth = pinned.reduce((sum, column) => sum + column.width, 0);
  const from = scrollLeft - STEP;
  const to = scrollLeft + width - pinnedWidth + STEP;

  const inView: ColumnLayout[] = [];
  let start = 0;
  let skipped = 0;
  for (const column of columns) {
    if (column.isPinned) continue;
    const end = start + column.width;
    if (end <= from) skipped = end;
    else if (start < to) inView.push(column);
    start = end;
  }
  return { pinned, inView, skipped };
}

/**
 * The window of a scrolled grid. A row has 17 columns of which half are in view: leaving out the others halves the
 * work of a scroll.
 */
export function useColumnWindow(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly ColumnLayout[],
): ColumnWindow {
  const [view, setView] = useState<View>({ scrollLeft: 0, width: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let { clientWidth } = element;
    const look = (): void => {
      const scrollLeft = Math.floor(element.scrollLeft / STEP) * STEP;
      const width = Math.ceil(clientWidth / STEP) * STEP + STEP;
      setView((seen) => (seen.scrollLeft === scrollLeft && seen.width === width ? seen : { scrollLeft, width }));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(() => {
      clientWidth = element.clientWidth;
      look();
    });
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [scroller]);
  return useMemo(() => columnWindow(columns, view), [columns, view]);
}

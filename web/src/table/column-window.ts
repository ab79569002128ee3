import { type RefObject, useLayoutEffect, useState } from "react";
import type { ColumnLayout } from "./column-layout.ts";

/**
 * The columns that a row draws: the pinned columns and the other columns in view. `skipped` is the width omitted before
 * them.
 */
export type ColumnWindow = { pinned: ColumnLayout[]; inView: ColumnLayout[]; skipped: number };

/**
 * The visible part of the grid. `scrollLeft` and `width` are rounded to steps, so they cover a bit more than is
 * visible. `room` is rounded down, so it never exceeds the available width.
 */
export type GridView = { scrollLeft: number; width: number; room: number };

/** The window changes in steps of this many pixels. The same amount is drawn beyond each edge. */
const STEP = 100;
const ROOM_STEP = 16;

/** Returns the columns to draw, including `STEP` pixels beyond each edge. Widths in CSS pixels. */
export function columnWindow(
  columns: readonly ColumnLayout[],
  { scrollLeft, width }: Pick<GridView, "scrollLeft" | "width">,
): ColumnWindow {
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

/** The minimum width left for unpinned columns, in CSS pixels. */
const LEAST_ROOM = 240;

/**
 * Unpins pinned columns that don't fit in a narrow window; they would cover all other columns. A `room` of 0 means that
 * the grid hasn't been measured yet.
 */
export function keepRoom(columns: ColumnLayout[], room: number): ColumnLayout[] {
  let left = room - LEAST_ROOM;
  const stays = (column: ColumnLayout): boolean => {
    left -= column.width;
    return left >= 0;
  };
  const pinned = columns.filter((column) => column.isPinned);
  const staying = pinned.filter(stays).length;
  if (room === 0 || staying === pinned.length) return columns;
  return columns.map((column, index) => {
    if (!column.isPinned) return column;
    if (index < staying) return { ...column, isLastPinned: index === staying - 1 };
    return { ...column, isPinned: false, isLastPinned: false, style: { width: column.width } };
  });
}

/**
 * Tracks which part of the columns is in view. About half of a row's 17 columns are visible, so skipping the rest
 * halves the cost of a scroll.
 */
export function useGridView(scroller: RefObject<HTMLElement | null>): GridView {
  const [view, setView] = useState<GridView>({ scrollLeft: 0, width: 0, room: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let { clientWidth } = element;
    const review = (): void => {
      const scrollLeft = Math.floor(element.scrollLeft / STEP) * STEP;
      const room = Math.floor(clientWidth / ROOM_STEP) * ROOM_STEP;
      const width = Math.ceil(clientWidth / STEP) * STEP + STEP;
      setView((seen) =>
        seen.scrollLeft === scrollLeft && seen.width === width && seen.room === room
          ? seen
          : { scrollLeft, width, room },
      );
    };
    review();
    element.addEventListener("scroll", review, { passive: true });
    const observer = new ResizeObserver(() => {
      clientWidth = element.clientWidth;
      review();
    });
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", review);
      observer.disconnect();
    };
  }, [scroller]);
  return view;
}

import { type RefObject, useLayoutEffect, useState } from "react";
import type { ColumnLayout } from "./column-layout.ts";

/** The columns a row draws: the pinned ones, and of the others those in view. `skipped` is the width left out before them. */
export type ColumnWindow = { pinned: ColumnLayout[]; inView: ColumnLayout[]; skipped: number };

/** What a scrolled grid shows. `scrollLeft` and `width` are in steps and reach a little further; `room` is never more than there is. */
export type GridView = { scrollLeft: number; width: number; room: number };

/** Moves of less than this leave the window as it is; that much more is drawn on either side. */
const STEP = 100;
const ROOM_STEP = 16;

/** Which columns are to be drawn, with `STEP` pixels to spare on either side. Widths in CSS pixels. */
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

/** What the pinned columns leave to the others at least. */
const LEAST_ROOM = 240;

/**
 * Pinned columns that a narrow window has no room for scroll with the others: pinned, they would cover them all.
 * `room` 0 stands for a grid that has not been measured yet.
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
 * How much of the columns is in view. A row has 17 of which half are: leaving out the others halves the work of a
 * scroll.
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

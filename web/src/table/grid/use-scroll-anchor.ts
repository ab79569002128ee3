import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ReactNode, type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { RowContext } from "../row/row-context.ts";
import type { RowSelection } from "../selection/use-selection.ts";

/** A row to scroll into view, once per object. `isJump`: the user came from elsewhere, so the row flashes. */
export type Reveal = { rowId: string; isJump: boolean };

export type RowListProps = {
  label: string;
  rows: RowsSnapshot;
  selection: RowSelection;
  reveal: Reveal | null;
  /** The form that edits a row's number. It renders in that row, which is scrolled into view. */
  editor: { rowId: string; form: ReactNode } | null;
  context: RowContext;
};

/** A row, with the part of its list's state that concerns it. */
export const rowIn = ({ selection, reveal, editor, context }: RowListProps, row: ResultRow) => ({
  row,
  context,
  isSelected: selection.ids.has(row.id),
  isFlashing: reveal?.isJump === true && reveal.rowId === row.id,
  editor: editor?.rowId === row.id ? editor.form : null,
});

export type ListedRow = ReturnType<typeof rowIn>;

type ScrollTo = (index: number, align: "auto" | "center") => void;

/** Scrolls to the row that is edited or revealed. A row that the user jumps to is centered. */
export function useScrollToRow({ rows, editor, reveal }: RowListProps, scrollTo: ScrollTo): void {
  const show = useEffectEvent((id: string, align: "auto" | "center") => {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) scrollTo(index, align);
  });
  const editedId = editor?.rowId ?? null;
  useLayoutEffect(() => {
    if (editedId !== null) show(editedId, "auto");
  }, [editedId]);
  useLayoutEffect(() => {
    if (reveal) show(reveal.rowId, reveal.isJump ? "center" : "auto");
  }, [reveal]);
}

/**
 * Keeps the visible rows in place when rows above them arrive, leave or move, for example through a filter or a sort.
 * The anchor is the first visible row that hasn't changed. When the user asks for other rows (`listKey`), the list
 * scrolls to the top. A density change keeps the position. Starts at the first line, as soon as its row has arrived.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  rows: RowsSnapshot,
  { listKey, rowHeight, takeFirstLine }: { listKey: string; rowHeight: number; takeFirstLine?: TakeFirstLine },
): void {
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    const line = takeFirstLine?.() ?? wanted.current;
    wanted.current = line;
    if (line === null || (rows.at(-1)?.line ?? 0) < line) return;
    wanted.current = null;
    scroller.current?.scrollTo({ top: rows.findIndex((row) => row.line >= line) * rowHeight });
  }, [scroller, rows, rowHeight, takeFirstLine]);
  const before = useRef({ rows, listKey, rowHeight });
  useLayoutEffect(() => {
    const element = scroller.current;
    const previous = before.current;
    before.current = { rows, listKey, rowHeight };
    if (!element) return;
    if (previous.rowHeight !== rowHeight)
      element.scrollTo({ top: (element.scrollTop * rowHeight) / previous.rowHeight });
    if (previous.rows === rows) return;
    if (previous.listKey !== listKey) {
      element.scrollTo({ top: 0 });
      return;
    }
    const first = Math.floor(element.scrollTop / rowHeight);
    const moved = shiftOf(previous.rows, rows, { first, count: Math.ceil(element.clientHeight / rowHeight) });
    if (moved !== 0) element.scrollBy({ top: moved * rowHeight });
  }, [scroller, rows, listKey, rowHeight]);
}

/** The first visible line of the table that this one replaces; null if it replaces none. Each line is taken once. */
export type TakeFirstLine = (() => number | null) | undefined;

/** How many rows the visible rows have moved; 0 at the top, where new first rows should show, and if none is left. */
export function shiftOf(before: RowsSnapshot, now: RowsSnapshot, visible: { first: number; count: number }): number {
  if (visible.first === 0 || before[visible.first] === now[visible.first]) return 0;
  const inView = before.slice(visible.first, visible.first + visible.count);
  const places = new Map(inView.map((row) => [row, -1]));
  for (const [index, row] of now.entries()) if (places.has(row)) places.set(row, index);
  for (const [index, row] of inView.entries()) {
    const place = places.get(row) ?? -1;
    if (place >= 0) return place - (visible.first + index);
  }
  return 0;
}

import {
  type CSSProperties,
  type RefObject,
  type UIEvent,
  useCallback,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { type ColumnArrangement, resizeColumn, shownOrder } from "./column-arrangement.ts";
import { COLUMNS_BY_ID, LEADING_COLUMNS, LEADING_REVIEW_COLUMNS, type ResultColumn } from "./columns.tsx";
import type { TableSettings } from "./use-table-preferences.ts";

/** One visible column as the grid draws it. Its header and all its cells have `cellProps`. */
export type ColumnLayout = ResultColumn & {
  isPinned: boolean;
  cellProps: { "aria-colindex": number; style: CSSProperties } & {
    [data: `data-${string}`]: string | true | undefined;
  };
};

/** The minimum width left for unpinned columns, in CSS pixels. */
const LEAST_ROOM = 240;
/** How many of the user's first columns stay in view beside a flexible column, if they fit. */
const FIRST_COLUMNS = 8;
/** While columns are out of view, a flexible column doesn't grow beyond this. */
const WIDEST = 420;

/**
 * The visible columns from left to right. Pinned columns that would leave too little of `room` to scroll the others are
 * not pinned. A `room` of 0 means that the grid hasn't been measured yet.
 */
export function layoutOf(
  arrangement: ColumnArrangement,
  leading: readonly ResultColumn[],
  room: number,
): ColumnLayout[] {
  const columns = [...leading, ...shownOrder(arrangement).flatMap((id) => COLUMNS_BY_ID.get(id) ?? [])];
  const freeWidth = freeWidthOf(columns, arrangement, leading.length + FIRST_COLUMNS, room);
  const widthOf = ({ id, width, isFlexible }: ResultColumn): number =>
    arrangement.columnWidths[id] ?? (isFlexible ? Math.max(width, freeWidth) : width);
  const ends: number[] = [];
  for (const column of columns) ends.push((ends.at(-1) ?? 0) + widthOf(column));
  const mayPin = (column: ResultColumn, index: number): boolean =>
    (index < leading.length || arrangement.pinnedColumns.includes(column.id)) &&
    (room === 0 || (ends.at(-1) ?? 0) <= room || (ends[index] ?? 0) <= room - LEAST_ROOM);
  const pinnedCount = columns.filter(mayPin).length;
  return columns.map((column, index) => {
    const width = widthOf(column);
    const isPinned = index < pinnedCount;
    const cellProps = {
      "aria-colindex": index + 1,
      "data-column": column.id,
      "data-pinned": isPinned || undefined,
      "data-edge": index === pinnedCount - 1 || undefined,
      "data-align": column.align,
      style: { width, ...(isPinned && { insetInlineStart: ends[index - 1] ?? 0 }) },
    };
    return { ...column, width, isPinned, cellProps };
  });
}

/** The flexible column's width: what all other columns leave or, within limits, what the first that fit leave. */
function freeWidthOf(
  columns: readonly ResultColumn[],
  { columnWidths }: ColumnArrangement,
  firstCount: number,
  room: number,
): number {
  const leftBy = (some: readonly ResultColumn[]): number =>
    some.reduce((left, { id, width, isFlexible }) => (isFlexible ? left : left - (columnWidths[id] ?? width)), room);
  const index = columns.findIndex(({ isFlexible }) => isFlexible);
  const least = columns[index]?.width ?? 0;
  if (leftBy(columns) >= least) return leftBy(columns);
  const most = Math.min(WIDEST, leftBy(columns.slice(0, index)) - LEAST_ROOM);
  for (let count = firstCount; count > index; count -= 1) {
    const left = leftBy(columns.slice(0, count));
    if (left >= least) return Math.min(most, left);
  }
  return least;
}

export function totalWidthOf(columns: readonly ColumnLayout[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

/** Sets a width in CSS pixels; null restores the default. One that isn't final is only shown, as during a drag. */
export type ResizeColumn = (id: string, width: number | null, isFinal: boolean) => void;

export function useColumnLayout(
  scroller: RefObject<HTMLElement | null>,
  arrangement: ColumnArrangement,
  isReview: boolean,
  { change }: TableSettings,
) {
  const leading = isReview ? LEADING_REVIEW_COLUMNS : LEADING_COLUMNS;
  const room = useRoom(scroller);
  const [draft, setDraft] = useState<{ id: string; width: number } | null>(null);
  const columns = useMemo(() => {
    const shown = draft === null ? arrangement : resizeColumn(arrangement, draft.id, draft.width);
    return layoutOf(shown, leading, room);
  }, [arrangement, draft, leading, room]);
  const resize = useCallback<ResizeColumn>(
    (id, width, isFinal) => {
      setDraft(isFinal || width === null ? null : { id, width });
      if (isFinal) change((now) => resizeColumn(now, id, width));
    },
    [change],
  );
  const [isAside, setAside] = useState(false);
  /** Includes all columns if the table is scrolled sideways. */
  const inView = useMemo(() => {
    const isInView = (at: number): boolean => totalWidthOf(columns.slice(0, at)) < room + ROOM_STEP;
    return isAside || room === 0 ? columns.length : columns.filter((_, at) => isInView(at)).length;
  }, [columns, room, isAside]);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>): void => setAside(currentTarget.scrollLeft > 0);
  return { columns, inView, isAside, onScroll, resize };
}

const ROOM_STEP = 16;

/** An element's inner width in CSS pixels, rounded down to steps; 0 until it is measured. */
function useRoom(measured: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = measured.current;
    if (!element) return;
    const measure = (): void => setRoom(Math.floor(element.clientWidth / ROOM_STEP) * ROOM_STEP);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measured]);
  return room;
}

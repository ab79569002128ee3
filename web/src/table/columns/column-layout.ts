import type { CSSProperties } from "react";
import { type ColumnArrangement, shownOrder } from "./column-arrangement.ts";
import { COLUMNS_BY_ID, type ResultColumn } from "./columns.tsx";

/** One visible column as the grid draws it. The header and all cells share `style`. */
export type ColumnLayout = ResultColumn & {
  /** 1-based position among the visible columns. */
  position: number;
  isPinned: boolean;
  isLastPinned: boolean;
  style: CSSProperties;
};

/** The minimum width left for unpinned columns, in CSS pixels. */
const LEAST_ROOM = 240;

/**
 * The visible columns from left to right: the leading columns, then the user's. Pinned columns that don't fit into
 * `room` are not pinned, because they would cover all other columns. A `room` of 0 means that the grid hasn't been
 * measured yet.
 */
export function layoutOf(
  arrangement: ColumnArrangement,
  leading: readonly ResultColumn[],
  room: number,
): ColumnLayout[] {
  const columns = [...leading, ...shownOrder(arrangement).flatMap((id) => COLUMNS_BY_ID.get(id) ?? [])];
  const widthOf = ({ id, width }: ResultColumn): number => arrangement.columnWidths[id] ?? width;
  const ends: number[] = [];
  for (const column of columns) ends.push((ends.at(-1) ?? 0) + widthOf(column));
  const isPinned = (column: ResultColumn, index: number): boolean =>
    (index < leading.length || arrangement.pinnedColumns.includes(column.id)) &&
    (room === 0 || (ends[index] ?? 0) <= room - LEAST_ROOM);
  const pinnedCount = columns.filter(isPinned).length;
  return columns.map((column, index) => {
    const width = widthOf(column);
    return {
      ...column,
      width,
      position: index + 1,
      isPinned: index < pinnedCount,
      isLastPinned: index === pinnedCount - 1,
      style: { width, ...(index < pinnedCount && { insetInlineStart: ends[index - 1] ?? 0 }) },
    };
  });
}

export function totalWidthOf(columns: readonly ColumnLayout[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

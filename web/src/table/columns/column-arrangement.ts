/** The user's column settings. Columns are identified by id; widths are in CSS pixels. */
export type ColumnArrangement = {
  hiddenColumns: readonly string[];
  /** On-demand columns that are visible even without content, because the user has turned them on. */
  shownColumns: readonly string[];
  /** Every column once. A pinned column is drawn at the left edge and returns to this position when unpinned. */
  columnOrder: readonly string[];
  pinnedColumns: readonly string[];
  columnWidths: Readonly<Record<string, number>>;
};

export const MIN_COLUMN_WIDTH = 48;
export const MAX_COLUMN_WIDTH = 800;

export function normalizeWidth(width: number): number {
  return Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)));
}

/** The columns from left to right: pinned columns, then the others, each group in the user's order. */
export function drawnOrder({ columnOrder, pinnedColumns }: ColumnArrangement): string[] {
  const isPinned = (id: string): boolean => pinnedColumns.includes(id);
  return [...columnOrder.filter(isPinned), ...columnOrder.filter((id) => !isPinned(id))];
}

export function shownOrder(arrangement: ColumnArrangement): string[] {
  return drawnOrder(arrangement).filter((id) => !arrangement.hiddenColumns.includes(id));
}

export function resizeColumn<A extends ColumnArrangement>(arrangement: A, id: string, width: number | null): A {
  const { [id]: _, ...others } = arrangement.columnWidths;
  return { ...arrangement, columnWidths: width === null ? others : { ...others, [id]: normalizeWidth(width) } };
}

/** The column that a one-place move swaps with; undefined at the end of the pinned or unpinned group. */
function neighborOf(arrangement: ColumnArrangement, id: string, step: -1 | 1): string | undefined {
  const order = drawnOrder(arrangement);
  const neighbor = order[order.indexOf(id) + step];
  if (neighbor === undefined || !order.includes(id)) return undefined;
  const { pinnedColumns } = arrangement;
  return pinnedColumns.includes(neighbor) === pinnedColumns.includes(id) ? neighbor : undefined;
}

export function canMove(arrangement: ColumnArrangement, id: string, step: -1 | 1): boolean {
  return neighborOf(arrangement, id, step) !== undefined;
}

/** Moves a column one place left (-1) or right (1). Never crosses the border between pinned and unpinned columns. */
export function moveColumn<A extends ColumnArrangement>(arrangement: A, id: string, step: -1 | 1): A {
  const neighbor = neighborOf(arrangement, id, step);
  if (neighbor === undefined) return arrangement;
  const exchanged: Record<string, string> = { [id]: neighbor, [neighbor]: id };
  return { ...arrangement, columnOrder: arrangement.columnOrder.map((other) => exchanged[other] ?? other) };
}

/** Drops a column before (-1) or after (1) another one, into or out of the pinned ones. */
export function dropColumn<A extends ColumnArrangement>(arrangement: A, id: string, at: string, side: -1 | 1): A {
  if (id === at) return arrangement;
  const columnOrder = arrangement.columnOrder.filter((other) => other !== id);
  columnOrder.splice(columnOrder.indexOf(at) + (side === 1 ? 1 : 0), 0, id);
  const { pinnedColumns } = arrangement;
  const moved = { ...arrangement, columnOrder };
  return pinnedColumns.includes(id) === pinnedColumns.includes(at) ? moved : togglePinned(moved, id);
}

export function togglePinned<A extends ColumnArrangement>(arrangement: A, id: string): A {
  const { pinnedColumns } = arrangement;
  const others = pinnedColumns.filter((other) => other !== id);
  return { ...arrangement, pinnedColumns: pinnedColumns.includes(id) ? others : [...others, id] };
}

/** Shows or hides a column. An on-demand column counts as turned on even if it has no content. */
export function setShown<A extends ColumnArrangement>(
  arrangement: A,
  id: string,
  isShown: boolean,
  isOnDemand: boolean,
): A {
  const { hiddenColumns, shownColumns } = arrangement;
  const without = (ids: readonly string[]): string[] => ids.filter((other) => other !== id);
  return {
    ...arrangement,
    hiddenColumns: isShown ? without(hiddenColumns) : [...without(hiddenColumns), id],
    shownColumns: isShown && isOnDemand ? [...without(shownColumns), id] : without(shownColumns),
  };
}

/** The arrangement to draw: hides on-demand columns that are empty and not turned on. */
export function withoutIdle<A extends ColumnArrangement>(arrangement: A, idle: readonly string[]): A {
  const { hiddenColumns, shownColumns } = arrangement;
  const hidden = idle.filter((id) => !shownColumns.includes(id) && !hiddenColumns.includes(id));
  return hidden.length === 0 ? arrangement : { ...arrangement, hiddenColumns: [...hiddenColumns, ...hidden] };
}

export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

/** A saved order without the columns that are gone, and with new ones after their default predecessors. */
export function mergeOrder(remembered: readonly unknown[], columns: readonly string[]): string[] {
  const order = columns
    .filter((id) => remembered.includes(id))
    .toSorted((one, other) => remembered.indexOf(one) - remembered.indexOf(other));
  for (const [index, id] of columns.entries()) {
    if (order.includes(id)) continue;
    const predecessor = columns[index - 1];
    order.splice(predecessor === undefined ? 0 : order.indexOf(predecessor) + 1, 0, id);
  }
  return order;
}

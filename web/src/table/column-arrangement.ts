/** What the user has made of the columns. Columns go by their ids; widths are CSS pixels. */
export type ColumnArrangement = {
  hiddenColumns: readonly string[];
  /** Columns on demand that the user has asked for; others of them are shown while there is something to show. */
  shownColumns: readonly string[];
  /** Every column once. A pinned one is drawn at the left edge whatever its place here, and gets it back when unpinned. */
  columnOrder: readonly string[];
  pinnedColumns: readonly string[];
  /** Only the columns that were resized. */
  columnWidths: Readonly<Record<string, number>>;
};

export const MIN_COLUMN_WIDTH = 48;
export const MAX_COLUMN_WIDTH = 800;

export function normalizeWidth(width: number): number {
  return Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)));
}

/** The columns from left to right: the pinned ones, then the others, each in the user's order. */
export function drawnOrder({
  columnOrder,
  pinnedColumns,
}: Pick<ColumnArrangement, "columnOrder" | "pinnedColumns">): string[] {
  const isPinned = (id: string): boolean => pinnedColumns.includes(id);
  return [...columnOrder.filter(isPinned), ...columnOrder.filter((id) => !isPinned(id))];
}

/** The column that a move by one place would change places with; undefined at the end of the pinned or the other ones. */
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

/** Moves a column one place to the left (-1) or right (1); never over the border between pinned and other columns. */
export function moveColumn<A extends ColumnArrangement>(arrangement: A, id: string, step: -1 | 1): A {
  const neighbor = neighborOf(arrangement, id, step);
  if (neighbor === undefined) return arrangement;
  const exchanged: Record<string, string> = { [id]: neighbor, [neighbor]: id };
  return { ...arrangement, columnOrder: arrangement.columnOrder.map((other) => exchanged[other] ?? other) };
}

export function togglePinned<A extends ColumnArrangement>(arrangement: A, id: string): A {
  return { ...arrangement, pinnedColumns: toggled(arrangement.pinnedColumns, id) };
}

/** Shows or hides a column; one on demand is remembered as asked for, whether or not there is something to show. */
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

/** The arrangement as it is drawn: columns on demand that have nothing to show and were not asked for are hidden. */
export function withoutIdle<A extends ColumnArrangement>(arrangement: A, idle: readonly string[]): A {
  const { hiddenColumns, shownColumns } = arrangement;
  const hidden = idle.filter((id) => !shownColumns.includes(id) && !hiddenColumns.includes(id));
  return hidden.length === 0 ? arrangement : { ...arrangement, hiddenColumns: [...hiddenColumns, ...hidden] };
}

export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

/**
 * A remembered order on the columns there are today: gone ones fall out, and one that came since stands behind the
 * column that it follows by default.
 */
export function mergeOrder(remembered: readonly string[], columns: readonly string[]): string[] {
  const order = [...new Set(remembered)].filter((id) => columns.includes(id));
  for (const [index, id] of columns.entries()) {
    if (order.includes(id)) continue;
    const predecessor = columns[index - 1];
    order.splice(predecessor === undefined ? 0 : order.indexOf(predecessor) + 1, 0, id);
  }
  return order;
}

function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id];
}

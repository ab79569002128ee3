import type { RowsSnapshot } from "../../run/rows-store.ts";

/**
 * The selected rows, by id. The selection survives sorting, filtering and run updates.
 *
 * A range runs from the `anchor`, the last row toggled individually, to the target row. Extending again replaces the
 * previous range, so the selection without the range is kept in `base`. If the anchor was deselected, the range
 * deselects.
 */
export type Selection = {
  ids: ReadonlySet<string>;
  base: ReadonlySet<string>;
  anchorId: string | null;
  isAdding: boolean;
};

const NONE: ReadonlySet<string> = new Set();

export const NO_SELECTION: Selection = { ids: NONE, base: NONE, anchorId: null, isAdding: true };

export type SelectionEvent =
  | { type: "toggled"; id: string }
  /** `from` is the range's start if there is no anchor. */
  | { type: "extended"; to: string; from: string | null; shown: RowsSnapshot }
  /** Selects all visible rows, or deselects them if all are selected. */
  | { type: "all_toggled"; shown: RowsSnapshot }
  | { type: "all_selected"; shown: RowsSnapshot }
  | { type: "cleared" };

export function selectionReducer(selection: Selection, event: SelectionEvent): Selection {
  const { ids } = selection;
  switch (event.type) {
    case "toggled":
      return anchoredAt(event.id, ids, [event.id], !ids.has(event.id));
    case "extended":
      return extended(selection, event);
    case "all_toggled":
      return withAll(ids, event.shown, shareOf(ids, event.shown) !== "all");
    case "all_selected":
      return withAll(ids, event.shown, true);
    case "cleared":
      return NO_SELECTION;
  }
}

export type SelectedShare = "none" | "some" | "all";

/** How many of the visible rows are selected. */
export function shareOf(ids: ReadonlySet<string>, shown: RowsSnapshot): SelectedShare {
  const count = selectedCount(ids, shown);
  if (count === 0) return "none";
  return count === shown.length ? "all" : "some";
}

export function selectedCount(ids: ReadonlySet<string>, shown: RowsSnapshot): number {
  return ids.size === 0 ? 0 : shown.filter(({ id }) => ids.has(id)).length;
}

function extended(selection: Selection, { to, from, shown }: Extract<SelectionEvent, { type: "extended" }>): Selection {
  const anchorId = selection.anchorId ?? from ?? to;
  const shownIds = shown.map(({ id }) => id);
  const [start, end] = [shownIds.indexOf(anchorId), shownIds.indexOf(to)];
  if (end < 0) return selection;
  if (start < 0) return anchoredAt(to, selection.ids, [to], true);
  const range = shownIds.slice(Math.min(start, end), Math.max(start, end) + 1);
  return { ...selection, anchorId, ids: changed(selection.base, range, selection.isAdding) };
}

function withAll(before: ReadonlySet<string>, shown: RowsSnapshot, isAdding: boolean): Selection {
  const ids = shown.map(({ id }) => id);
  return { ...anchoredAt(null, before, ids, isAdding), isAdding: true };
}

function anchoredAt(
  anchorId: string | null,
  before: ReadonlySet<string>,
  changes: readonly string[],
  isAdding: boolean,
): Selection {
  const ids = changed(before, changes, isAdding);
  return { ids, base: ids, anchorId, isAdding };
}

function changed(before: ReadonlySet<string>, ids: readonly string[], isAdding: boolean): ReadonlySet<string> {
  if (isAdding) return new Set([...before, ...ids]);
  const removed = new Set(ids);
  return new Set([...before].filter((id) => !removed.has(id)));
}

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
  switch (event.type) {
    case "toggled": {
      const isAdding = !selection.ids.has(event.id);
      const ids = changed(selection.ids, [event.id], isAdding);
      return { ids, base: ids, anchorId: event.id, isAdding };
    }
    case "extended":
      return extended(selection, event);
    case "all_toggled": {
      const isAdding = shareOf(selection, event.shown) !== "all";
      return whole(selection, event.shown, isAdding);
    }
    case "all_selected":
      return whole(selection, event.shown, true);
    case "cleared":
      return NO_SELECTION;
  }
}

/** How many of the visible rows are selected. */
export function shareOf({ ids }: Selection, shown: RowsSnapshot): "none" | "some" | "all" {
  if (ids.size === 0 || shown.length === 0) return "none";
  let hasOne = false;
  let hasGap = false;
  for (const { id } of shown) {
    if (ids.has(id)) hasOne = true;
    else hasGap = true;
    if (hasOne && hasGap) return "some";
  }
  return hasOne ? "all" : "none";
}

function whole(selection: Selection, shown: RowsSnapshot, isAdding: boolean): Selection {
  const ids = changed(
    selection.ids,
    shown.map(({ id }) => id),
    isAdding,
  );
  return { ids, base: ids, anchorId: null, isAdding: true };
}

function extended(selection: Selection, { to, from, shown }: Extract<SelectionEvent, { type: "extended" }>): Selection {
  const anchorId = selection.anchorId ?? from ?? to;
  const [start, end] = [indexOf(shown, anchorId), indexOf(shown, to)];
  if (end < 0) return selection;
  if (start < 0) {
    const ids = changed(selection.ids, [to], true);
    return { ids, base: ids, anchorId: to, isAdding: true };
  }
  const range = shown.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id);
  return { ...selection, anchorId, ids: changed(selection.base, range, selection.isAdding) };
}

function changed(before: ReadonlySet<string>, ids: readonly string[], isAdding: boolean): ReadonlySet<string> {
  const after = new Set(before);
  for (const id of ids) {
    if (isAdding) after.add(id);
    else after.delete(id);
  }
  return after;
}

function indexOf(shown: RowsSnapshot, wanted: string): number {
  return shown.findIndex(({ id }) => id === wanted);
}

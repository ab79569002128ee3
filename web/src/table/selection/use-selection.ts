import { useEffect, useMemo, useRef, useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { SelectedShare } from "../row/SelectBox.tsx";

type Ids = ReadonlySet<string>;

/**
 * The selected rows, by id. The selection survives sorting, filtering and run updates.
 *
 * A range runs from the `anchor`, the last row toggled individually, to the target row. Extending again replaces the
 * previous range, so `base` is the selection without the range. If the anchor was deselected, the range deselects.
 */
export type Selection = { ids: Ids; base: Ids; anchorId: string | null; isAdding: boolean };

const NONE: Ids = new Set();
const NO_ROWS: RowsSnapshot = [];
export const NO_SELECTION: Selection = { ids: NONE, base: NONE, anchorId: null, isAdding: true };

export type RowSelection = ReturnType<typeof useSelection>;

/** The selected rows, in sheet order, and the share of the visible ones. Its functions stay the same. */
export function useSelection(all: RowsSnapshot, shown: RowsSnapshot, activeId: string | null) {
  const [{ ids }, set] = useState(NO_SELECTION);
  const latest = useRef({ shown, activeId });
  useEffect(() => {
    latest.current = { shown, activeId };
  });
  const sessionId = all[0]?.sessionId ?? null;
  const [selectedOf, setSelectedOf] = useState(sessionId);
  if (selectedOf !== sessionId) {
    setSelectedOf(sessionId);
    set(NO_SELECTION);
  }
  const actions = useMemo(
    () => ({
      select: (id: string, isRange: boolean) => {
        const { shown, activeId } = latest.current;
        set((now) => (isRange ? extended(now, shown, id, activeId) : toggled(now, id)));
      },
      toggleAll: () => set((now) => allToggled(now, latest.current.shown)),
      selectAll: () => set((now) => allSelected(now, latest.current.shown)),
      clear: () => set(NO_SELECTION),
    }),
    [],
  );
  const rows = useMemo(() => (ids.size === 0 ? NO_ROWS : all.filter(({ id }) => ids.has(id))), [all, ids]);
  const hiddenCount = useMemo(() => rows.length - selectedCount(ids, shown), [rows, ids, shown]);
  const share = useMemo(() => shareOf(ids, shown), [ids, shown]);
  return { ids, rows, hiddenCount, share, ...actions };
}

export function shareOf(ids: Ids, shown: RowsSnapshot): SelectedShare {
  const count = selectedCount(ids, shown);
  if (count === 0) return "none";
  return count === shown.length ? "all" : "some";
}

function selectedCount(ids: Ids, shown: RowsSnapshot): number {
  return ids.size === 0 ? 0 : shown.filter(({ id }) => ids.has(id)).length;
}

export const toggled = ({ ids }: Selection, id: string): Selection => anchoredAt(id, ids, [id], !ids.has(id));

/** Extends the range to a row. Without an anchor, it starts at the active row. */
export function extended(selection: Selection, shown: RowsSnapshot, to: string, activeId: string | null): Selection {
  const anchorId = selection.anchorId ?? activeId ?? to;
  const shownIds = shown.map(({ id }) => id);
  const [start, end] = [shownIds.indexOf(anchorId), shownIds.indexOf(to)];
  if (end < 0) return selection;
  if (start < 0) return anchoredAt(to, selection.ids, [to], true);
  const range = shownIds.slice(Math.min(start, end), Math.max(start, end) + 1);
  return { ...selection, anchorId, ids: changed(selection.base, range, selection.isAdding) };
}

export function allSelected({ ids }: Selection, shown: RowsSnapshot, isAdding = true): Selection {
  const changes = shown.map(({ id }) => id);
  return { ...anchoredAt(null, ids, changes, isAdding), isAdding: true };
}

/** Selects all visible rows, or deselects them if all are selected. */
export function allToggled(selection: Selection, shown: RowsSnapshot): Selection {
  return allSelected(selection, shown, shareOf(selection.ids, shown) !== "all");
}

function anchoredAt(anchorId: string | null, before: Ids, changes: readonly string[], isAdding: boolean): Selection {
  const ids = changed(before, changes, isAdding);
  return { ids, base: ids, anchorId, isAdding };
}

function changed(before: Ids, ids: readonly string[], isAdding: boolean): Ids {
  if (isAdding) return new Set([...before, ...ids]);
  const removed = new Set(ids);
  return new Set([...before].filter((id) => !removed.has(id)));
}

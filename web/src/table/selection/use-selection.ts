import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { NO_SELECTION, type Selection, selectionReducer, shareOf } from "./selection.ts";

export type RowSelection = {
  ids: ReadonlySet<string>;
  /** The selected rows, in sheet order. */
  rows: RowsSnapshot;
  /** The number of selected rows that are hidden. */
  hiddenCount: number;
  /** How many of the visible rows are selected. */
  share: ReturnType<typeof shareOf>;
  toggle: (id: string) => void;
  /** Toggles a row. `isRange` selects from the previously selected row, or else from the active row. */
  select: (id: string, isRange: boolean) => void;
  /** Selects a range. Starts at `from` if there is no previously selected row. */
  extend: (to: string, from: string | null) => void;
  toggleAll: () => void;
  selectAll: () => void;
  clear: () => void;
};

const NO_ROWS: RowsSnapshot = [];

/** The selected rows. The functions are stable, so that a selection re-renders only the rows that it changes. */
export function useSelection(all: RowsSnapshot, shown: RowsSnapshot, activeId: string | null): RowSelection {
  const [selection, dispatch] = useReducer(selectionReducer, NO_SELECTION);
  const latest = useRef({ shown, activeId });
  useEffect(() => {
    latest.current = { shown, activeId };
  });
  const sessionId = all[0]?.sessionId ?? null;
  const [selectedOf, setSelectedOf] = useState(sessionId);
  if (selectedOf !== sessionId) {
    setSelectedOf(sessionId);
    dispatch({ type: "cleared" });
  }

  const toggle = useCallback((id: string) => dispatch({ type: "toggled", id }), []);
  const extend = useCallback(
    (to: string, from: string | null) => dispatch({ type: "extended", to, from, shown: latest.current.shown }),
    [],
  );
  const select = useCallback(
    (id: string, isRange: boolean) => {
      if (isRange) extend(id, latest.current.activeId);
      else toggle(id);
    },
    [extend, toggle],
  );
  const toggleAll = useCallback(() => dispatch({ type: "all_toggled", shown: latest.current.shown }), []);
  const selectAll = useCallback(() => dispatch({ type: "all_selected", shown: latest.current.shown }), []);
  const clear = useCallback(() => dispatch({ type: "cleared" }), []);

  const { ids } = selection;
  const rows = useMemo(() => (ids.size === 0 ? NO_ROWS : all.filter(({ id }) => ids.has(id))), [all, ids]);
  const hiddenCount = useMemo(() => rows.length - countIn(ids, shown), [rows, ids, shown]);
  const share = useMemo(() => shareOf(selection, shown), [selection, shown]);
  return { ids, rows, hiddenCount, share, toggle, select, extend, toggleAll, selectAll, clear };
}

function countIn(ids: Selection["ids"], shown: RowsSnapshot): number {
  if (ids.size === 0) return 0;
  return shown.reduce((count, { id }) => count + (ids.has(id) ? 1 : 0), 0);
}

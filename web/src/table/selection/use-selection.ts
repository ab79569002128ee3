import { useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { NO_SELECTION, selectedCount, selectionReducer, shareOf } from "./selection.ts";

export type RowSelection = ReturnType<typeof useSelection>;

const NO_ROWS: RowsSnapshot = [];

/**
 * The selected rows, in sheet order, and how many of them are hidden. `share` is the share of the visible rows that is
 * selected. The functions are stable, so that a selection re-renders only the rows that it changes.
 */
export function useSelection(all: RowsSnapshot, shown: RowsSnapshot, activeId: string | null) {
  const [{ ids }, dispatch] = useReducer(selectionReducer, NO_SELECTION);
  const latest = useRef({ shown, from: activeId });
  useEffect(() => {
    latest.current = { shown, from: activeId };
  });
  const sessionId = all[0]?.sessionId ?? null;
  const [selectedOf, setSelectedOf] = useState(sessionId);
  if (selectedOf !== sessionId) {
    setSelectedOf(sessionId);
    dispatch({ type: "cleared" });
  }

  const actions = useMemo(
    () => ({
      /** Without a previously selected row, a range starts at the active row. */
      select: (id: string, isRange: boolean) =>
        dispatch(isRange ? { type: "extended", to: id, ...latest.current } : { type: "toggled", id }),
      toggleAll: () => dispatch({ type: "all_toggled", shown: latest.current.shown }),
      selectAll: () => dispatch({ type: "all_selected", shown: latest.current.shown }),
      clear: () => dispatch({ type: "cleared" }),
    }),
    [],
  );
  const rows = useMemo(() => (ids.size === 0 ? NO_ROWS : all.filter(({ id }) => ids.has(id))), [all, ids]);
  const hiddenCount = useMemo(() => rows.length - selectedCount(ids, shown), [rows, ids, shown]);
  const share = useMemo(() => shareOf(ids, shown), [ids, shown]);
  return { ids, rows, hiddenCount, share, ...actions };
}

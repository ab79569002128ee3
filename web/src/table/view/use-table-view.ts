import { useCallback, useMemo, useState } from "react";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { type FailureKind, failureKindOf } from "../../run/failure-kinds.ts";
import type { RowFilter } from "./row-filter.ts";
import type { RowsStore } from "../../run/rows-store.ts";
import { useChangePreferences } from "../columns/use-table-preferences.ts";

/**
 * A table's filter, find text, sort and active row. Kept outside the table, so that its surroundings can point to rows.
 */
export type TableView = {
  filter: RowFilter;
  find: string;
  activeId: string | null;
  /** The row whose number is being edited. */
  editingId: string | null;
  /** The user has chosen this view's filter. */
  isFilterChosen: boolean;
  /** Sets and saves the user's choice. */
  setFilter: (filter: RowFilter) => void;
  /** Sets the filter without saving it as the user's choice. */
  applyFilter: (filter: RowFilter) => void;
  setFind: (find: string) => void;
  setActiveId: (id: string | null) => void;
  /** Edits a row and activates it; null ends the edit. */
  edit: (id: string | null) => void;
  /** Shows one kind of failure, clears the find text, and opens the first matching row for editing. */
  editFirst: (kind: FailureKind, rows: RowsStore) => void;
};

const WHOLE: { filter: RowFilter; isChosen: boolean } = { filter: "all", isChosen: false };

/** `of` is the session shown. A new session resets the filter and the find text. */
export function useTableView(of: string | null): TableView {
  const [shown, setShown] = useState(of);
  const [{ filter, isChosen }, setFiltering] = useState(WHOLE);
  const [find, setFind] = useState("");
  const [activeId, setActiveId] = useState<string | null>(null);
  const [editingId, setEditingId] = useState<string | null>(null);
  if (shown !== of) {
    setShown(of);
    setFiltering(WHOLE);
    setFind("");
    setActiveId(null);
    setEditingId(null);
  }

  const change = useChangePreferences();
  const setFilter = useCallback(
    (wanted: RowFilter) => {
      setFiltering({ filter: wanted, isChosen: true });
      if (of !== null) change((current) => ({ ...current, filter: { name: wanted, sessionId: of } }));
    },
    [of, change],
  );
  const applyFilter = useCallback((wanted: RowFilter) => setFiltering({ filter: wanted, isChosen: false }), []);
  const edit = useCallback((id: string | null) => {
    setEditingId(id);
    if (id !== null) setActiveId(id);
  }, []);
  const editFirst = useCallback(
    (kind: FailureKind, rows: RowsStore) => {
      setFilter(kind);
      setFind("");
      const first = rows.getSnapshot().find((row) => isError(row) && failureKindOf(row.outcome) === kind);
      if (first) edit(first.id);
    },
    [setFilter, edit],
  );
  return useMemo(
    () => ({
      filter,
      isFilterChosen: isChosen,
      find,
      activeId,
      editingId,
      setFilter,
      applyFilter,
      setFind,
      setActiveId,
      edit,
      editFirst,
    }),
    [filter, isChosen, find, activeId, editingId, setFilter, applyFilter, edit, editFirst],
  );
}

import { useMemo, useState } from "react";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { type FailureKind, failureKindOf } from "../../run/failure-kinds.ts";
import type { RowFilter } from "./row-filter.ts";
import type { RowsStore } from "../../run/rows-store.ts";

type TableState = {
  filter: RowFilter;
  /** The user has chosen the filter. */
  isFilterChosen: boolean;
  /** The table has not yet saved the user's choice. */
  isFilterUnsaved: boolean;
  find: string;
  activeId: string | null;
  /** The row whose number is being edited. */
  editingId: string | null;
};

/** A table's filter, find text and active row. Kept outside the table, so that its surroundings can point to rows. */
export type TableControl = TableState & {
  /** Sets the user's choice, which the table saves. */
  setFilter: (filter: RowFilter) => void;
  noteFilterSaved: () => void;
  /** Sets the filter without saving it as the user's choice. */
  applyFilter: (filter: RowFilter) => void;
  setFind: (find: string) => void;
  setActiveId: (id: string) => void;
  /** Edits a row and activates it; null ends the edit. */
  edit: (id: string | null) => void;
  /** Shows one kind of failure, clears the find text, and opens the first matching row for editing. */
  editFirst: (kind: FailureKind, rows: RowsStore) => void;
};

const WHOLE: TableState = {
  filter: "all",
  isFilterChosen: false,
  isFilterUnsaved: false,
  find: "",
  activeId: null,
  editingId: null,
};

/** `of` is the session shown. A new session resets it. */
export function useTableControl(of: string | null): TableControl {
  const [shown, setShown] = useState(of);
  const [state, setState] = useState(WHOLE);
  if (shown !== of) {
    setShown(of);
    setState(WHOLE);
  }
  const actions = useMemo(() => {
    const set = (change: Partial<TableState>): void => setState((current) => ({ ...current, ...change }));
    const setFilter = (filter: RowFilter): void => set({ filter, isFilterChosen: true, isFilterUnsaved: true });
    const edit = (id: string | null): void => set(id === null ? { editingId: null } : { editingId: id, activeId: id });
    return {
      setFilter,
      noteFilterSaved: () => set({ isFilterUnsaved: false }),
      applyFilter: (filter: RowFilter) => set({ filter, isFilterChosen: false }),
      setFind: (find: string) => set({ find }),
      setActiveId: (activeId: string) =>
        setState((current) => (current.activeId === activeId ? current : { ...current, activeId })),
      edit,
      editFirst: (kind: FailureKind, rows: RowsStore) => {
        setFilter(kind);
        set({ find: "" });
        const first = rows.getSnapshot().find((row) => isError(row) && failureKindOf(row.outcome) === kind);
        if (first) edit(first.id);
      },
    };
  }, []);
  return { ...state, ...actions };
}

import { useMemo, useState } from "react";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { type FailureKind, failureKindOf } from "../../run/run-progress.ts";
import type { RowsStore } from "../../run/rows-store.ts";
import type { RowFilter } from "./row-filter.ts";

/** A table's filter, find text and active row. Kept outside the table, so that its surroundings can point to rows. */
export type TableControl = ReturnType<typeof useTableControl>;

const WHOLE = {
  filter: "all" as RowFilter,
  isFilterChosen: false,
  isFilterUnsaved: false,
  find: "",
  activeId: null as string | null,
  editingId: null as string | null,
};

/** `of` is the session shown. A new session resets it. */
export function useTableControl(of: string | null) {
  const [shown, setShown] = useState(of);
  const [state, setState] = useState(WHOLE);
  if (shown !== of) {
    setShown(of);
    setState(WHOLE);
  }
  const actions = useMemo(() => {
    const set = (change: Partial<typeof WHOLE>): void => setState((current) => ({ ...current, ...change }));
    /** Sets the user's choice, which the table saves. */
    const setFilter = (filter: RowFilter): void => set({ filter, isFilterChosen: true, isFilterUnsaved: true });
    /** Edits a row and activates it; null ends the edit. */
    const edit = (id: string | null): void => set(id === null ? { editingId: null } : { editingId: id, activeId: id });
    return {
      setFilter,
      noteFilterSaved: () => set({ isFilterUnsaved: false }),
      /** Sets the filter without saving it as the user's choice. */
      applyFilter: (filter: RowFilter) => set({ filter, isFilterChosen: false }),
      setFind: (find: string) => set({ find }),
      showAll: () => set({ filter: "all", isFilterChosen: false, find: "" }),
      setActiveId: (activeId: string) =>
        setState((current) => (current.activeId === activeId ? current : { ...current, activeId })),
      edit,
      /** Shows one kind of failure, clears the find text, and opens the first matching row for editing. */
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

import { useCallback, useMemo, useState } from "react";
import { filterRows, type RowFilter } from "./row-filter.ts";
import type { RowsStore } from "./rows-store.ts";

/** What a table shows of its rows, and which row is in hand; kept outside of it, so that what stands beside it can point at rows. */
export type TableView = {
  filter: RowFilter;
  find: string;
  activeId: string | null;
  /** The row whose number is being edited. */
  editingId: string | null;
  setFilter: (filter: RowFilter) => void;
  setFind: (find: string) => void;
  setActiveId: (id: string | null) => void;
  /** Edits a row and makes it the active one; null ends it. */
  edit: (id: string | null) => void;
  /** Shows the rows of a filter, whatever was in the find box, and opens the first of them for editing. */
  editFirst: (filter: RowFilter, rows: RowsStore) => void;
};

/** `of` names what the table shows: something else is shown whole, whatever was filtered or looked for before. */
export function useTableView(of: string | null): TableView {
  const [shown, setShown] = useState(of);
  const [filter, setFilter] = useState<RowFilter>("all");
  const [find, setFind] = useState("");
  const [activeId, setActiveId] = useState<string | null>(null);
  const [editingId, setEditingId] = useState<string | null>(null);
  if (shown !== of) {
    setShown(of);
    setFilter("all");
    setFind("");
    setActiveId(null);
    setEditingId(null);
  }

  const edit = useCallback((id: string | null) => {
    setEditingId(id);
    if (id !== null) setActiveId(id);
  }, []);
  const editFirst = useCallback(
    (wanted: RowFilter, rows: RowsStore) => {
      setFilter(wanted);
      setFind("");
      const [first] = filterRows(rows.getSnapshot(), wanted, "");
      if (first) edit(first.id);
    },
    [edit],
  );
  return useMemo(
    () => ({ filter, find, activeId, editingId, setFilter, setFind, setActiveId, edit, editFirst }),
    [filter, find, activeId, editingId, edit, editFirst],
  );
}

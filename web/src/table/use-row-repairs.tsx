import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type RefObject, useCallback, useEffect } from "react";
import { retryRow } from "../run/session-requests.ts";
import { useAction } from "../run/use-action.ts";
import { toast } from "../ui/toast.tsx";
import { NumberEditor } from "./row/NumberEditor.tsx";
import type { RowEditor } from "./grid/ResultsGrid.tsx";
import { canEdit } from "@slabdesk/contract/review/row-state.ts";
import type { RowsSnapshot } from "../run/rows-store.ts";
import type { TableView } from "./view/use-table-view.ts";

const idOf = ({ id }: ResultRow): string => id;

type RowRepairs = {
  onEdit: (row: ResultRow) => void;
  onRetry: (row: ResultRow) => void;
  editor: RowEditor | null;
};

/** Repair actions for failed rows: retry, or correct the number first. */
export function useRowRepairs(view: TableView, rows: RowsSnapshot, table: RefObject<HTMLElement | null>): RowRepairs {
  const { editingId, edit } = view;
  const onEdit = useCallback((row: ResultRow) => edit(row.id), [edit]);
  const { run: onRetry } = useAction({
    send: retryRow,
    failure: ({ id, certNumber }) => ({ id: `retry-${id}`, title: `${certNumber} was not sent again` }),
    onDone: (_, { id, certNumber }) => toast.done({ id: `retry-${id}`, message: `Looking up ${certNumber} again` }),
    keyOf: idOf,
  });

  const editingRow = editingId === null ? undefined : rows.find((row) => row.id === editingId && canEdit(row));
  const isOutdated = editingId !== null && editingRow === undefined;
  useEffect(() => {
    if (isOutdated) edit(null);
  }, [isOutdated, edit]);

  const close = (): void => {
    edit(null);
    focusGrid(table.current);
  };
  const form = editingRow && (
    <NumberEditor
      key={editingRow.id}
      row={editingRow}
      onDismiss={() => edit(null)}
      onCancel={close}
      onSent={() => {
        edit(null);
        // If this is the last row of the filter, the grid disappears with it; the surrounding panel keeps the focus.
        if (rows.length > 1) focusGrid(table.current);
        else table.current?.focus({ preventScroll: true });
      }}
    />
  );
  return { onEdit, onRetry, editor: editingRow ? { rowId: editingRow.id, form } : null };
}

/** Focuses the grid, or the panel on a phone, where cards replace the grid. */
export function focusGrid(panel: HTMLElement | null): void {
  (panel?.querySelector<HTMLElement>('[role="grid"]') ?? panel)?.focus({ preventScroll: true });
}

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { errorMessage } from "../api/error-messages.ts";
import { retryRows } from "../api/sessions.ts";
import { toast } from "../ui/toast.tsx";
import { NumberEditor } from "./NumberEditor.tsx";
import type { RowEditor } from "./ResultsGrid.tsx";
import { canEdit } from "@slabdesk/contract/review/row-state.ts";
import type { RowsSnapshot } from "./rows-store.ts";
import type { TableView } from "./use-table-view.ts";

type RowRepairs = {
  onEdit: ((row: ResultRow) => void) | null;
  onRetry: ((row: ResultRow) => void) | null;
  editor: RowEditor | null;
};

/**
 * Repair actions for failed rows: retry, or correct the number first. Calls `onRowsSent` when the server has accepted
 * the request. The new state arrives with the run's events, so a late response can't overwrite a newer state.
 */
export function useRowRepairs(
  view: TableView,
  rows: RowsSnapshot,
  onRowsSent: (() => void) | undefined,
  table: RefObject<HTMLElement | null>,
): RowRepairs {
  const { editingId, edit } = view;
  const onEdit = useCallback((row: ResultRow) => edit(row.id), [edit]);
  const onRetry = useRowRetry(onRowsSent);

  const editingRow = editingId === null ? undefined : rows.find((row) => row.id === editingId && canEdit(row));
  const isOutdated = editingId !== null && editingRow === undefined;
  useEffect(() => {
    if (isOutdated) edit(null);
  }, [isOutdated, edit]);

  if (!onRowsSent) return { onEdit: null, onRetry: null, editor: null };
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
        onRowsSent();
      }}
    />
  );
  return { onEdit, onRetry, editor: editingRow ? { rowId: editingRow.id, form } : null };
}

/** Focuses the grid, or the panel on a phone, where cards replace the grid. */
export function focusGrid(panel: HTMLElement | null): void {
  (panel?.querySelector<HTMLElement>('[role="grid"]') ?? panel)?.focus({ preventScroll: true });
}

/** Retries a failed row, one request at a time per row. */
function useRowRetry(onRowsSent: (() => void) | undefined): (row: ResultRow) => void {
  const inProgress = useRef(new Set<string>());
  return useCallback(
    (row: ResultRow): void => {
      if (inProgress.current.has(row.id)) return;
      inProgress.current.add(row.id);
      const id = `retry-${row.id}`;
      retryRows(row.sessionId, { rowId: row.id })
        .then(
          () => {
            onRowsSent?.();
            toast.done({ id, message: `Looking up ${row.certNumber} again` });
          },
          (error: unknown) =>
            toast.error({ id, title: `${row.certNumber} was not sent again`, message: errorMessage(error) }),
        )
        .finally(() => inProgress.current.delete(row.id));
    },
    [onRowsSent],
  );
}

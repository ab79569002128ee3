import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type RefObject, useCallback, useEffect } from "react";
import { actOn } from "../run/session-requests.ts";
import { useAction } from "../run/use-action.ts";
import { toast } from "../ui/toast.tsx";
import { NumberEditor } from "./row/NumberEditor.tsx";
import { canEdit } from "@slabdesk/contract/review/row-state.ts";
import type { RowsSnapshot } from "../run/rows-store.ts";
import type { TableControl } from "./view/use-table-control.ts";

const idOf = ({ id }: ResultRow): string => id;

/** Repair actions for failed rows: retry, or correct the number first. `editor` is the form of the row being edited. */
export function useRowRepairs(
  { editingId, edit }: TableControl,
  rows: RowsSnapshot,
  table: RefObject<HTMLElement | null>,
) {
  const onEdit = useCallback((row: ResultRow) => edit(row.id), [edit]);
  const { run: onRetry } = useAction({
    send: ({ id, sessionId }: ResultRow) => actOn(sessionId, "retry", { rowId: id }),
    failure: ({ id, certNumber }) => ({ id: `retry-${id}`, title: `Couldn't retry ${certNumber}` }),
    onDone: (_, { id, certNumber }) => toast.done({ id: `retry-${id}`, message: `Looking up ${certNumber} again` }),
    keyOf: idOf,
  });

  const row = editingId === null ? undefined : rows.find(({ id }) => id === editingId);
  const editingRow = row && canEdit(row) ? row : null;
  const isOutdated = editingId !== null && editingRow === null;
  useEffect(() => {
    if (isOutdated) edit(null);
  }, [isOutdated, edit]);

  const form = editingRow && (
    <NumberEditor
      key={editingRow.id}
      row={editingRow}
      onDismiss={() => edit(null)}
      onCancel={() => {
        edit(null);
        focusGrid(table.current);
      }}
      onSent={() => {
        edit(null);
        // If this is the last row of the filter, the grid disappears with it; the surrounding panel keeps the focus.
        if (rows.length > 1) focusGrid(table.current);
        else table.current?.focus({ preventScroll: true });
      }}
    />
  );
  return { onEdit, onRetry, editor: editingRow && { rowId: editingRow.id, form } };
}

/** Focuses the grid, or the panel on a phone, where cards replace the grid. */
export function focusGrid(panel: HTMLElement | null): void {
  (panel?.querySelector<HTMLElement>('[role="grid"]') ?? panel)?.focus({ preventScroll: true });
}

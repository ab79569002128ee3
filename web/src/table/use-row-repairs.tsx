import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { COMPANIES, parseCompany } from "@slabdesk/contract/certs/company.ts";
import { canEdit } from "@slabdesk/contract/review/row-state.ts";
import { Box, Group, NativeSelect, Popover, Text, TextInput } from "@mantine/core";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useState } from "react";
import type { RowsSnapshot } from "../run/rows-store.ts";
import { actOn, correctRow } from "../run/session-requests.ts";
import { useAction } from "../api/use-action.ts";
import { Form } from "../ui/form/Form.tsx";
import { FormButtons } from "../ui/form/FormButtons.tsx";
import { toast } from "../ui/toast.tsx";
import type { TableControl } from "./filter/use-table-control.ts";

export const idOf = ({ id }: ResultRow): string => id;

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

const NO_POINTER = { pointerEvents: "none" } as const;

type NumberEditorProps = {
  row: ResultRow;
  /** Called on Esc or Cancel. */
  onCancel: () => void;
  /** Called on a press outside the form, which has already moved the focus. */
  onDismiss: () => void;
  /** Called when the server has accepted the number and will look it up. */
  onSent: () => void;
};

/** The form beside a failed row that corrects its certificate number. Anchored to the edge of its container. */
function NumberEditor({ row, onCancel, onDismiss, onSent }: NumberEditorProps) {
  const titleId = useId();
  const knownCompany = parseCompany(row.gradingCompany);
  const [certNumber, setCertNumber] = useState(row.certNumber);
  const [company, setCompany] = useState<string>(knownCompany ?? "");
  const { run, isBusy, problem } = useAction<void>({
    send: () => correctRow(row, { certNumber, gradingCompany: company }),
    onDone: onSent,
  });
  const startsAtCompany = knownCompany === null && row.certNumber.trim() !== "";
  // React bubbles events from the portal to the table, whose keys move, copy and retry.
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") onCancel();
  };
  return (
    <Popover
      opened
      onDismiss={onDismiss}
      position="bottom-start"
      offset={4}
      width={336}
      trapFocus
      closeOnEscape={false}
      // Must stay visible before its row is in view; a hidden form can't take the focus.
      hideDetached={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Box component="span" pos="absolute" bottom={0} left={0} w={1} h="100%" style={NO_POINTER} aria-hidden="true" />
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={titleId} onKeyDown={onKeyDown}>
        <Form gap={10} style={{ maxWidth: "calc(100vw - 3rem)" }} onSubmit={() => run()}>
          <Text c="dimmed" fz="sm" lh={1.4} style={{ overflowWrap: "anywhere" }}>
            <Text component="strong" id={titleId} inherit c="var(--sd-ink)" fw={650}>
              Edit number, line {row.line}
            </Text>{" "}
            · {row.error ?? "Check the number on the slab"}
          </Text>
          <Group gap={8} align="flex-start" wrap="nowrap">
            <NativeSelect
              label="Company"
              value={company}
              data={[...(company === "" ? [{ value: "", label: "Choose" }] : []), ...COMPANIES]}
              data-autofocus={startsAtCompany || undefined}
              onChange={(event) => setCompany(event.currentTarget.value)}
            />
            <TextInput
              label="Cert number"
              flex={1}
              miw={0}
              style={{ fontVariantNumeric: "tabular-nums", overflowWrap: "anywhere" }}
              value={certNumber}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              data-autofocus={!startsAtCompany || undefined}
              error={problem}
              errorProps={{ role: "alert" }}
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => setCertNumber(event.currentTarget.value)}
            />
          </Group>
          <FormButtons label={isBusy ? "Sending..." : "Look up"} aria-disabled={isBusy} onCancel={onCancel} />
        </Form>
      </Popover.Dropdown>
    </Popover>
  );
}

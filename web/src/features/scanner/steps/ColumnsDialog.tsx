import { SHEET_FIELDS } from "@slabdesk/contract/sheet/header.ts";
import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";
import { Button, Group, Modal, NativeSelect, ScrollArea, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { count } from "../counts.ts";
import type { SheetWorkerClient } from "../sheet/sheet-worker-client.ts";
import type { ColumnsCheck } from "../sheet/sheet-parts.ts";
import type { SheetColumns } from "../sheet/sheet-work.ts";
import { choiceOf, columnName, FIELD_LABELS, optionsFor, withChoice } from "./column-choice.ts";
import styles from "./ColumnsDialog.module.css";

type ColumnsDialogProps = {
  title: string;
  columns: SheetColumns;
  worker: SheetWorkerClient;
  isOpen: boolean;
  onClose: () => void;
  onUse: (mapping: SheetMapping) => void;
  /** The alternatives: another file, or leaving the columns as they are. */
  other: ReactNode;
};

/** Assigns a sheet's columns: a select for each field above the first rows, with the effect of the choice. */
export function ColumnsDialog({ isOpen, onClose, title, ...rest }: ColumnsDialogProps): ReactNode {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="xl">
      <ColumnsForm {...rest} />
    </Modal>
  );
}

type ColumnsFormProps = Pick<ColumnsDialogProps, "columns" | "worker" | "onUse" | "other">;

function ColumnsForm({ columns: sheet, worker, onUse, other }: ColumnsFormProps): ReactNode {
  const [mapping, setMapping] = useState<SheetMapping>(sheet);
  const check = useColumnsCheck(worker, sheet.part, mapping);
  const isChosen = mapping.columns.certNumber !== undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { headerLine, columns, company } = mapping;
        if (isChosen) onUse({ headerLine, columns, company });
      }}
    >
      <div className={styles.fields}>
        {SHEET_FIELDS.map((field) => (
          <NativeSelect
            key={field}
            size="xs"
            label={FIELD_LABELS[field]}
            required={field === "certNumber"}
            data={optionsFor(field, sheet.header)}
            value={choiceOf(field, mapping)}
            onChange={(event) => setMapping(withChoice(mapping, field, event.currentTarget.value))}
          />
        ))}
      </div>
      <Preview sheet={sheet} mapping={mapping} />
      <Group justify="flex-end" gap={10} mt={16}>
        <Text component="output" flex="1 1 220px" inherit fz="sm" c={colorOf(isChosen ? check : null)}>
          {isChosen && check
            ? `${count(check.readable)} of ${count(check.rowCount)} rows have readable numbers`
            : "Choose the column with the cert numbers"}
        </Text>
        {other}
        <Button type="submit" size="xs" variant="filled" disabled={!isChosen}>
          Use these columns
        </Button>
      </Group>
    </form>
  );
}

function colorOf(check: ColumnsCheck | null): string {
  if (!check) return "dimmed";
  if (check.readable === 0) return "var(--sd-bad)";
  return check.readable === check.rowCount ? "var(--sd-good-text)" : "var(--sd-warn)";
}

function Preview({ sheet: { header, preview }, mapping }: { sheet: SheetColumns; mapping: SheetMapping }): ReactNode {
  const columns = header.map((name, index) => ({
    id: `column-${index}`,
    index,
    name: columnName(name, index),
    field: SHEET_FIELDS.find((field) => mapping.columns[field] === index),
  }));
  const rows = preview.map((cells, index) => ({ id: `row-${index}`, cells }));
  return (
    <ScrollArea
      className={styles.preview ?? ""}
      type="auto"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": "The first rows" }}
    >
      <table>
        <thead>
          <tr>
            {columns.map(({ id, name, field }) => (
              <th key={id} scope="col" data-chosen={field}>
                {field && <span className={styles.chosen}>{FIELD_LABELS[field]}</span>}
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map(({ id, index, field }) => (
                <td key={id} data-chosen={field}>
                  {row.cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

/** The effect of the choice, from the sheet worker after each change; null until it responds. */
function useColumnsCheck(worker: SheetWorkerClient, part: number, mapping: SheetMapping): ColumnsCheck | null {
  const [check, setCheck] = useState<ColumnsCheck | null>(null);
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      try {
        const answer = await worker.ask("checkColumns", part, mapping);
        if (isWanted) setCheck(answer);
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
      }
    };
    void ask();
    return () => {
      isWanted = false;
    };
  }, [worker, part, mapping]);
  return check;
}

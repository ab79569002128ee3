import { SHEET_FIELDS } from "@slabdesk/contract/sheet/header.ts";
import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";
import { Box, Button, Checkbox, Group, Modal, NativeSelect, ScrollArea, Stack, Text, Textarea } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { Form } from "../../../ui/form/Form.tsx";
import { counted, formatCount } from "../../../ui/format-numbers.ts";
import type { ColumnsCheck } from "../sheet/sheet-parts.ts";
import type { SheetColumns, SheetQuestion } from "../sheet/sheet-work.ts";
import type { SheetWorkerClient } from "../sheet/sheet-worker-client.ts";
import { choiceOf, columnName, FIELD_LABELS, optionsFor, withChoice } from "./column-choice.ts";
import styles from "./SheetDialogs.module.css";

type DialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** The alternative to an answer; a cancel button by default. */
  other?: ReactNode;
};

type DialogFormProps = Omit<DialogProps, "isOpen"> & {
  label: string;
  isReady: boolean;
  onUse: () => void;
  note?: ReactNode;
  children: ReactNode;
};

function DialogForm({ label, isReady, onUse, onClose, note, other, children }: DialogFormProps) {
  return (
    <Form gap={0} onSubmit={() => isReady && onUse()}>
      {children}
      <Group justify="flex-end" gap={10} mt={16}>
        {note}
        {other ?? (
          <Button size="xs" onClick={onClose}>
            Cancel
          </Button>
        )}
        <Button type="submit" size="xs" variant="filled" disabled={!isReady}>
          {label}
        </Button>
      </Group>
    </Form>
  );
}

/** Numbers without a file: typed, or pasted from a spreadsheet, a message, or a browser. */
export function PasteDialog({ isOpen, onClose, onPaste }: DialogProps & { onPaste: (text: string) => void }) {
  const [text, setText] = useState("");
  const use = (): void => {
    onPaste(text);
    setText("");
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="Paste numbers" size="lg">
      <DialogForm label="Use these numbers" isReady={text.trim() !== ""} onUse={use} onClose={onClose}>
        <Textarea
          styles={{ input: { fontVariantNumeric: "tabular-nums" } }}
          label="Cert numbers"
          description="Numbers or links, one per line or separated by spaces or commas, or cells copied from a spreadsheet."
          data-autofocus
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}

type SheetsDialogProps = DialogProps & {
  question: Extract<SheetQuestion, { kind: "sheets" }>;
  onUse: (names: string[]) => void;
};

/** Selects sheets of a workbook that has several candidates. Several sheets become one session. */
export function SheetsDialog({ question, isOpen, onUse, ...form }: SheetsDialogProps) {
  const [names, setNames] = useState(() =>
    question.sheets.filter(({ certCount }) => certCount > 0).map(({ name }) => name),
  );
  return (
    <Modal opened={isOpen} onClose={form.onClose} title={`Which sheets of “${question.fileName}”?`} size="md">
      <DialogForm
        {...form}
        label={names.length > 1 ? `Use these ${names.length} sheets` : "Use this sheet"}
        isReady={names.length > 0}
        onUse={() => onUse(names)}
      >
        <Checkbox.Group aria-label="Sheets" value={names} onChange={setNames}>
          <Stack gap={10}>
            {question.sheets.map(({ name, certCount }) => (
              <Checkbox
                key={name}
                value={name}
                label={name}
                description={certCount === 0 ? "No cert numbers" : counted(certCount, "certificate")}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      </DialogForm>
    </Modal>
  );
}

type ColumnsDialogProps = DialogProps & {
  title: string;
  columns: SheetColumns;
  worker: SheetWorkerClient;
  onUse: (mapping: SheetMapping) => void;
};

/** Assigns a sheet's columns: a select for each field above the first rows, with the effect of the choice. */
export function ColumnsDialog({ isOpen, title, ...form }: ColumnsDialogProps) {
  return (
    <Modal opened={isOpen} onClose={form.onClose} title={title} size="xl">
      <ColumnsForm {...form} />
    </Modal>
  );
}

function ColumnsForm({ columns: sheet, worker, onUse, ...form }: Omit<ColumnsDialogProps, "isOpen" | "title">) {
  const [mapping, setMapping] = useState<SheetMapping>(sheet);
  const dialogId = useId();
  const { data: check = null } = useQuery({
    queryKey: ["columns-check", dialogId, mapping],
    queryFn: () => worker.ask("checkColumns", sheet.part, mapping),
    placeholderData: keepPreviousData,
    networkMode: "always",
    gcTime: 0,
    throwOnError: (error) => !(error instanceof DOMException),
  });
  const isChosen = mapping.columns.certNumber !== undefined;
  return (
    <DialogForm
      {...form}
      label="Use these columns"
      isReady={isChosen}
      onUse={() => onUse({ headerLine: mapping.headerLine, columns: mapping.columns, company: mapping.company })}
      note={
        <Text component="output" flex="1 1 220px" inherit fz="sm" c={colorOf(isChosen ? check : null)}>
          {isChosen && check
            ? `${formatCount(check.readable)} of ${formatCount(check.rowCount)} rows have readable numbers`
            : "Choose the column with the cert numbers"}
        </Text>
      }
    >
      <Box display="grid" style={{ gridTemplateColumns: "repeat(auto-fill, minmax(160px, 1fr))", gap: 12 }}>
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
      </Box>
      <Preview sheet={sheet} mapping={mapping} />
    </DialogForm>
  );
}

function colorOf(check: ColumnsCheck | null): string {
  if (!check) return "dimmed";
  if (check.readable === 0) return "var(--sd-bad)";
  return check.readable === check.rowCount ? "var(--sd-good-text)" : "var(--sd-warn)";
}

const CHOSEN = { display: "block", marginBottom: 1, color: "var(--sd-accent)", fontWeight: 600, fontSize: "0.6875rem" };

function Preview({ sheet: { header, preview }, mapping }: { sheet: SheetColumns; mapping: SheetMapping }) {
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
      mt={18}
      bd="1px solid var(--sd-line)"
      bdrs="md"
      fz="sm"
      type="auto"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": "The first rows" }}
    >
      <table>
        <thead>
          <tr>
            {columns.map(({ id, name, field }) => (
              <th key={id} scope="col" data-chosen={field}>
                {field && <span style={CHOSEN}>{FIELD_LABELS[field]}</span>}
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

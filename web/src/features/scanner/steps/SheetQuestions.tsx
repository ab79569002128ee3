import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ReadySheet, SheetState } from "../scanner-state.ts";
import type { SheetChoice } from "../sheet/use-sheet.ts";
import { TextButton } from "../TextButton.tsx";
import { lazyPart, OnceOpen } from "../../../ui/lazy-part.tsx";

const ColumnsDialog = lazyPart(async () => (await import("./SheetDialogs.tsx")).ColumnsDialog);
const SheetsDialog = lazyPart(async () => (await import("./SheetDialogs.tsx")).SheetsDialog);

type SheetQuestionsProps = {
  sheet: Extract<SheetState, { kind: "question" }>;
  choice: SheetChoice;
  onTurn: (isOpen: boolean) => void;
  onOther: () => void;
};

/** The questions to answer before the sheet is ready: in a dialog, or in the step after the dialog is closed. */
export function SheetQuestions({ sheet, choice, onTurn, onOther }: SheetQuestionsProps) {
  const { worker, question, isOpen } = sheet;
  const dialog = {
    isOpen,
    onClose: () => onTurn(false),
    other: (
      <Button size="xs" onClick={onOther}>
        Choose another file
      </Button>
    ),
  };
  return (
    <Stack
      align="flex-start"
      gap={10}
      mt={10}
      p="12px 14px"
      bd="1px solid var(--sd-line)"
      bdrs="lg"
      bg="var(--sd-surface)"
      style={{ overflowWrap: "anywhere" }}
    >
      <Text size="sm">
        {question.kind === "sheets"
          ? `“${question.fileName}” has several sheets. Which sheets should we use?`
          : `We couldn't find the cert number column in “${question.columns.name}”.`}
      </Text>
      <Button size="xs" aria-haspopup="dialog" onClick={() => onTurn(true)}>
        {question.kind === "sheets" ? "Choose sheets" : "Choose columns"}
      </Button>
      <OnceOpen isOpen={isOpen}>
        {question.kind === "sheets" ? (
          <SheetsDialog
            {...dialog}
            key={question.source}
            question={question}
            onUse={(names) => choice.chooseSheets(question, names)}
          />
        ) : (
          <ColumnsDialog
            {...dialog}
            key={question.columns.part}
            title={`Which column of “${question.columns.name}” holds the cert numbers?`}
            columns={question.columns}
            worker={worker}
            onUse={(mapping) => choice.chooseColumns(question.columns, mapping)}
          />
        )}
      </OnceOpen>
    </Stack>
  );
}

/** The columns of a ready sheet, for review and change; one link per file. */
export function SheetColumns({ sheet: { worker, loaded }, choice }: { sheet: ReadySheet; choice: SheetChoice }) {
  const [open, setOpen] = useState<number | null>(null);
  return loaded.columns.map((columns) => {
    const about = loaded.columns.length === 1 ? "" : ` of ${columns.name}`;
    return (
      <span key={columns.part}>
        {columns.isRemembered && `Columns${about} as you chose last time · `}
        <TextButton isLink aria-haspopup="dialog" onClick={() => setOpen(columns.part)}>
          {columns.isRemembered ? "change" : `Columns${about}`}
        </TextButton>
        <OnceOpen isOpen={open === columns.part}>
          <ColumnsDialog
            title={`Columns of “${columns.name}”`}
            columns={columns}
            worker={worker}
            isOpen={open === columns.part}
            onClose={() => setOpen(null)}
            onUse={(mapping) => choice.chooseColumns(columns, mapping)}
          />
        </OnceOpen>
      </span>
    );
  });
}

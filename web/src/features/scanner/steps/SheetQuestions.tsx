import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { ReadySheet, SheetState } from "../scanner-state.ts";
import type { ColumnsView } from "../sheet/sheet-work.ts";
import type { SheetChoice } from "../sheet/use-sheet.ts";
import { ColumnsDialog } from "./ColumnsDialog.tsx";
import { SheetsDialog } from "./SheetsDialog.tsx";
import styles from "./steps.module.css";

type SheetQuestionsProps = {
  sheet: Extract<SheetState, { kind: "question" }>;
  choice: SheetChoice;
  /** Called when the dialog opens or closes. */
  onTurn: (isOpen: boolean) => void;
  onOther: () => void;
};

/** The questions to answer before the sheet is ready: in a dialog, or in the step after the dialog is closed. */
export function SheetQuestions({ sheet, choice, onTurn, onOther }: SheetQuestionsProps): ReactNode {
  const { worker, question, isOpen } = sheet;
  const asked = question.kind === "sheets" ? `sheets ${question.source}` : `columns ${question.columns.part}`;
  const close = (): void => onTurn(false);
  const other = (
    <Button size="xs" onClick={onOther}>
      Choose another file
    </Button>
  );
  return (
    <div className={styles.question}>
      <p className={styles.questionMessage}>
        {question.kind === "sheets"
          ? `“${question.fileName}” has more than one sheet that may be meant.`
          : `No column of “${question.columns.name}” says that it holds the certificate numbers.`}
      </p>
      <Button size="xs" aria-haspopup="dialog" onClick={() => onTurn(true)}>
        {question.kind === "sheets" ? "Choose sheets" : "Choose columns"}
      </Button>
      {question.kind === "sheets" ? (
        <SheetsDialog
          key={asked}
          question={question}
          isOpen={isOpen}
          onClose={close}
          onUse={(names) => choice.chooseSheets(question, names)}
          other={other}
        />
      ) : (
        <ColumnsDialog
          key={asked}
          title={`Which column of “${question.columns.name}” holds the certificate numbers?`}
          columns={question.columns}
          worker={worker}
          isOpen={isOpen}
          onClose={close}
          onUse={(mapping) => choice.chooseColumns(question.columns, mapping)}
          other={other}
        />
      )}
    </div>
  );
}

type SheetColumnsProps = { sheet: ReadySheet; choice: SheetChoice };

/** The columns of a ready sheet, for review and change; one link per file. */
export function SheetColumns({ sheet: { worker, loaded }, choice }: SheetColumnsProps): ReactNode {
  const [open, setOpen] = useState<number | null>(null);
  const isOnly = loaded.columns.length === 1;
  return loaded.columns.map((columns) => (
    <span key={columns.part} className={styles.columnsLink}>
      <ColumnsLink columns={columns} isOnly={isOnly} onOpen={() => setOpen(columns.part)} />
      <ColumnsDialog
        title={`Columns of “${columns.name}”`}
        columns={columns}
        worker={worker}
        isOpen={open === columns.part}
        onClose={() => setOpen(null)}
        onUse={(mapping) => choice.chooseColumns(columns, mapping)}
        other={
          <Button size="xs" onClick={() => setOpen(null)}>
            Cancel
          </Button>
        }
      />
    </span>
  ));
}

type ColumnsLinkProps = { columns: ColumnsView; isOnly: boolean; onOpen: () => void };

function ColumnsLink({ columns: { name, isRemembered }, isOnly, onOpen }: ColumnsLinkProps): ReactNode {
  const about = isOnly ? "" : ` of ${name}`;
  return (
    <>
      {isRemembered && `Columns${about} as you chose last time · `}
      <button type="button" className={styles.inlineLink} aria-haspopup="dialog" onClick={onOpen}>
        {isRemembered ? "change" : `Columns${about}`}
      </button>
    </>
  );
}

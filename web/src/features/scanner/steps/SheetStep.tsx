import { Button, Loader, TextInput } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { Step } from "../../../ui/StepRail.tsx";
import { useFileDrop } from "../../../ui/files/use-file-drop.ts";
import type { SheetState } from "../scanner-state.ts";
import { ACCEPTED_FILES } from "../sheet/file-kinds.ts";
import type { SheetChoice } from "../use-sheet.ts";
import { PasteDialog } from "./PasteDialog.tsx";
import { SheetColumns, SheetQuestions } from "./SheetQuestions.tsx";
import styles from "./steps.module.css";
import { usePagePaste } from "./use-page-paste.ts";

type SheetStepProps = {
  sheet: SheetState;
  sessionName: string;
  /** Set during a run: the step collapses to this line. */
  foldedTo: string | null;
  choice: SheetChoice;
  onName: (sessionName: string) => void;
  /** Called when the question dialog opens or closes. */
  onQuestion: (isOpen: boolean) => void;
  /** The scan station link. */
  stationEntry: ReactNode;
};

export function SheetStep({ foldedTo, stationEntry, ...step }: SheetStepProps) {
  if (foldedTo !== null) {
    return (
      <Step number={2} title="Your sheet" state="done" summary={foldedTo}>
        {stationEntry}
      </Step>
    );
  }
  return (
    <Step number={2} title="Your sheet" state={step.sheet.kind === "ready" ? "done" : "current"}>
      <SheetChooser {...step} stationEntry={stationEntry} />
      {step.sheet.kind !== "ready" && stationEntry}
    </Step>
  );
}

type SheetChooserProps = Omit<SheetStepProps, "foldedTo">;

function SheetChooser({ sheet, sessionName, choice, onName, onQuestion, stationEntry }: SheetChooserProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const openChooser = (): void => chooser.current?.click();
  const drop = useRef<HTMLDivElement>(null);
  const isOver = useFileDrop(drop, choice.chooseFiles);
  const place = useRef<HTMLDivElement>(null);
  const [isPasting, setPasting] = useState(false);
  usePagePaste(place, choice);
  const paste = { "aria-haspopup": "dialog", onClick: () => setPasting(true), children: "Paste numbers" } as const;
  return (
    <div ref={place}>
      <div
        ref={drop}
        className={styles.drop}
        data-ready={sheet.kind === "ready" || undefined}
        data-over={isOver || undefined}
      >
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          accept={ACCEPTED_FILES}
          onChange={({ currentTarget }) => {
            choice.chooseFiles([...(currentTarget.files ?? [])]);
            // The same file may be chosen again.
            currentTarget.value = "";
          }}
        />
        <Button className={styles.choose ?? ""} size="xs" onClick={openChooser}>
          Choose File
        </Button>
        <SheetLine sheet={sheet} paste={<Button size="xs" {...paste} />} />
      </div>
      {sheet.kind === "none" && sheet.problem !== null && (
        <p className={styles.problem} role="alert">
          {sheet.problem}
        </p>
      )}
      {sheet.kind === "question" && (
        <SheetQuestions sheet={sheet} choice={choice} onTurn={onQuestion} onOther={openChooser} />
      )}
      {sheet.kind === "ready" && (
        <>
          <div className={styles.links}>
            <SheetColumns key={sheet.loaded.version} sheet={sheet} choice={choice} />
            <button type="button" className={styles.inlineLink} {...paste} />
            {stationEntry}
          </div>
          <TextInput
            className={styles.name ?? ""}
            size="xs"
            label="Session name (optional)"
            placeholder={sheet.defaultName}
            description={`Will be saved as: ${sessionName.trim() || sheet.defaultName}`}
            inputWrapperOrder={["label", "input", "description"]}
            maxLength={500}
            value={sessionName}
            onChange={(event) => onName(event.currentTarget.value)}
          />
        </>
      )}
      <PasteDialog isOpen={isPasting} onClose={() => setPasting(false)} onPaste={choice.pasteText} />
    </div>
  );
}

function SheetLine({ sheet, paste }: { sheet: SheetState; paste: ReactNode }) {
  switch (sheet.kind) {
    case "none":
      return (
        <>
          {paste}
          <span className={styles.dropHint}>or drop CSV or Excel files here</span>
        </>
      );
    case "reading":
      return (
        <output className={styles.dropHint}>
          <Loader size={12} aria-hidden="true" /> Reading {sheet.shownName}…
        </output>
      );
    case "question":
      return <span className={styles.selected}>{sheet.shownName}</span>;
    case "ready":
      return (
        <span className={styles.selected}>
          {selectedMessage(sheet.shownName, sheet.loaded.summaries.asTyped.rowCount)}
        </span>
      );
  }
}

/** The 'Selected: {filename}' line with the number of rows. */
export function selectedMessage(fileName: string, rowCount: number): string {
  return `Selected: ${fileName} · ${rowCount.toLocaleString("en-US")} ${rowCount === 1 ? "row" : "rows"}`;
}

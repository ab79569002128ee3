import { Button, Loader, TextInput } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { useRef } from "react";
import { Step } from "../../../ui/StepRail.tsx";
import type { SheetState } from "../scanner-state.ts";
import styles from "./steps.module.css";

type SheetStepProps = {
  sheet: SheetState;
  sessionName: string;
  /** Set while a run is on: the step folds to this line. */
  foldedTo: string | null;
  onFile: (file: File) => void;
  onName: (sessionName: string) => void;
};

export function SheetStep({ sheet, sessionName, foldedTo, onFile, onName }: SheetStepProps) {
  const openChooser = useRef<() => void>(null);
  if (foldedTo !== null) return <Step number={2} title="Your sheet" state="done" summary={foldedTo} />;
  return (
    <Step number={2} title="Your sheet" state={sheet.kind === "ready" ? "done" : "current"}>
      <Dropzone
        className={styles.drop ?? ""}
        data-ready={sheet.kind === "ready" || undefined}
        openRef={openChooser}
        multiple={false}
        activateOnClick={false}
        activateOnKeyboard={false}
        inputProps={{ accept: ".csv,text/csv", "aria-hidden": true, tabIndex: -1 }}
        onDrop={([file]) => file && onFile(file)}
      >
        <div className={styles.dropLine}>
          <Button className={styles.choose ?? ""} size="xs" onClick={() => openChooser.current?.()}>
            Choose File
          </Button>
          <SheetLine sheet={sheet} />
        </div>
      </Dropzone>
      {sheet.kind === "none" && sheet.problem !== null && (
        <p className={styles.problem} role="alert">
          {sheet.problem}
        </p>
      )}
      {sheet.kind === "ready" && (
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
      )}
    </Step>
  );
}

function SheetLine({ sheet }: { sheet: SheetState }) {
  switch (sheet.kind) {
    case "none":
      return <span className={styles.dropHint}>or drop a CSV file here</span>;
    case "reading":
      return (
        <output className={styles.dropHint}>
          <Loader size={12} aria-hidden="true" /> Reading {sheet.fileName}…
        </output>
      );
    case "ready":
      return <span className={styles.selected}>{selectedWords(sheet.fileName, sheet.summary.rowCount)}</span>;
  }
}

/** SPEC's 'Selected: {filename}' line, with the number of rows. */
export function selectedWords(fileName: string, rowCount: number): string {
  return `Selected: ${fileName} · ${rowCount.toLocaleString("en-US")} ${rowCount === 1 ? "row" : "rows"}`;
}

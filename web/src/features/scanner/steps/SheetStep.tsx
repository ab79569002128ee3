import { Button, Group, Loader, Text, TextInput } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Step } from "./StepRail.tsx";
import { lazyPart, OnceOpen } from "../../../ui/lazy-part.tsx";
import { useFileDrop } from "../../../ui/files/use-file-drop.ts";
import { many } from "../counts.ts";
import { isAtWork, type SheetState } from "../scanner-state.ts";
import type { SheetChoice } from "../sheet/use-sheet.ts";
import { ACCEPTED_FILES } from "../sheet/file-kinds.ts";
import { TextButton } from "../TextButton.tsx";
import type { Scanner } from "../use-scanner.ts";
import { SheetColumns, SheetQuestions } from "./SheetQuestions.tsx";
import styles from "./steps.module.css";

const PasteDialog = lazyPart(async () => (await import("./PasteDialog.tsx")).PasteDialog);

type SheetStepProps = {
  scanner: Scanner;
  stationEntry: ReactNode;
};

export function SheetStep({ scanner, stationEntry }: SheetStepProps) {
  const folded = foldedSheet(scanner);
  if (folded !== null) {
    return (
      <Step number={2} title="Your sheet" state="done" summary={folded}>
        {stationEntry}
      </Step>
    );
  }
  const isReady = scanner.state.sheet.kind === "ready";
  return (
    <Step number={2} title="Your sheet" state={isReady ? "done" : "current"}>
      <SheetChooser scanner={scanner} stationEntry={stationEntry} />
      {!isReady && stationEntry}
    </Step>
  );
}

/**
 * The sheet line during a run. It comes from the session, because the file may have been chosen before a reload or on
 * another computer.
 */
function foldedSheet({ session, state: { run, sheet } }: Scanner): string | null {
  if (session && isAtWork(session)) return selectedMessage(session.csvFilename, session.totalCards);
  return run === "starting" && sheet.kind === "ready"
    ? selectedMessage(sheet.fileName, sheet.loaded.summary.rowCount)
    : null;
}

function SheetChooser({ scanner: { state, dispatch, sheetChoice: choice }, stationEntry }: SheetStepProps) {
  const { sheet, sessionName } = state;
  const chooser = useRef<HTMLInputElement>(null);
  const openChooser = (): void => chooser.current?.click();
  const drop = useRef<HTMLDivElement>(null);
  const isOver = useFileDrop(drop, choice.chooseFiles);
  const [isPasting, setPasting] = useState(false);
  usePagePaste(drop, choice);
  const paste = { "aria-haspopup": "dialog", onClick: () => setPasting(true), children: "Paste numbers" } as const;
  return (
    <>
      <Group
        gap="8px 12px"
        ref={drop}
        className={styles.drop ?? ""}
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
      </Group>
      {sheet.kind === "none" && sheet.problem !== null && (
        <p className={styles.problem} role="alert">
          {sheet.problem}
        </p>
      )}
      {sheet.kind === "question" && (
        <SheetQuestions
          sheet={sheet}
          choice={choice}
          onTurn={(isOpen) => dispatch({ type: "question_turned", isOpen })}
          onOther={openChooser}
        />
      )}
      {sheet.kind === "ready" && (
        <>
          <Group gap="4px 14px" mt={6} c="dimmed" fz="xs" lh={1.4} className={styles.links ?? ""}>
            <SheetColumns key={sheet.loaded.version} sheet={sheet} choice={choice} />
            <TextButton isLink {...paste} />
            {stationEntry}
            <TextButton isLink onClick={choice.close}>
              Remove this sheet
            </TextButton>
          </Group>
          <TextInput
            mt={10}
            size="xs"
            label="Session name (optional)"
            placeholder={sheet.defaultName}
            description={`Will be saved as: ${sessionName.trim() || sheet.defaultName}`}
            inputWrapperOrder={["label", "input", "description"]}
            maxLength={500}
            value={sessionName}
            onChange={(event) => dispatch({ type: "name_typed", sessionName: event.currentTarget.value })}
          />
        </>
      )}
      <OnceOpen isOpen={isPasting}>
        <PasteDialog isOpen={isPasting} onClose={() => setPasting(false)} onPaste={choice.pasteText} />
      </OnceOpen>
    </>
  );
}

function SheetLine({ sheet, paste }: { sheet: SheetState; paste: ReactNode }) {
  switch (sheet.kind) {
    case "none":
      return (
        <>
          {paste}
          <Text span fz="sm" c="dimmed">
            or drop CSV or Excel files here
          </Text>
        </>
      );
    case "reading":
      return (
        <Group component="output" gap={6} fz="sm" c="dimmed">
          <Loader size={12} aria-hidden="true" /> Reading {sheet.shownName}…
        </Group>
      );
    case "question":
      return <span className={styles.selected}>{sheet.shownName}</span>;
    case "ready":
      return <span className={styles.selected}>{selectedMessage(sheet.shownName, sheet.loaded.summary.rowCount)}</span>;
  }
}

/** The 'Selected: {filename}' line with the number of rows. */
function selectedMessage(fileName: string, rowCount: number): string {
  return `Selected: ${fileName} · ${many(rowCount, "row")}`;
}

/**
 * Handles a paste outside any field: files as if chosen, text as numbers. Only while the step is visible and no dialog
 * is open.
 */
function usePagePaste(step: RefObject<HTMLElement | null>, { chooseFiles, pasteText }: SheetChoice): void {
  useWindowEvent("paste", (event) => {
    if (!step.current || step.current.offsetParent === null || isField(event.target)) return;
    if (document.querySelector('[role="dialog"]')) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim() === "" && files.length === 0) return;
    event.preventDefault();
    // A spreadsheet adds an image of the cells to their text.
    if (text.trim() === "") chooseFiles(files);
    else pasteText(text);
  });
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

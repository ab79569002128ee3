import { Box, Button, Group, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconBarcode } from "@tabler/icons-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { Step } from "./Step.tsx";
import { lazyPart, OnceOpen } from "../../../ui/lazy-part.tsx";
import { useFileDrop } from "../../../ui/files/use-file-drop.ts";
import { isTyping } from "../../../ui/use-page-keys.ts";
import { counted } from "../../../ui/format-numbers.ts";
import { ProblemLine } from "../../../ui/form/FormProblem.tsx";
import { isAtWork, type ReadySheet, type SheetState } from "../scanner-state.ts";
import type { SheetChoice } from "../sheet/use-sheet.ts";
import { ACCEPTED_FILES } from "../sheet/file-kinds.ts";
import { countWaiting } from "../station/ledger.ts";
import { waitMessage } from "../station/station-messages.ts";
import type { StationControl } from "../station/use-station.ts";
import { TextButton } from "../TextButton.tsx";
import type { Scanner } from "../use-scanner.ts";

const ColumnsDialog = lazyPart(async () => (await import("./SheetDialogs.tsx")).ColumnsDialog);
const SheetsDialog = lazyPart(async () => (await import("./SheetDialogs.tsx")).SheetsDialog);
const PasteDialog = lazyPart(async () => (await import("./SheetDialogs.tsx")).PasteDialog);

export function SheetStep({ scanner, station }: { scanner: Scanner; station: StationControl }) {
  const folded = foldedSheet(scanner);
  const isReady = scanner.state.sheet.kind === "ready";
  const stationEntry = <StationEntry station={station} isQuiet={isReady && !isAtWork(scanner.session)} />;
  return (
    <Step number={2} title="Your sheet" state={isReady || folded !== null ? "done" : "current"} summary={folded}>
      {folded === null && <SheetChooser scanner={scanner} stationEntry={stationEntry} />}
      {(folded !== null || !isReady) && stationEntry}
    </Step>
  );
}

/** The sheet line during a run, from the session: the file may have been chosen on another computer. */
function foldedSheet({ session, state: { run, sheet } }: Scanner): string | null {
  if (session && isAtWork(session)) return selectedMessage(session.csvFilename, session.totalCards);
  return run === "starting" && sheet.kind === "ready"
    ? selectedMessage(sheet.fileName, sheet.loaded.summary.rowCount)
    : null;
}

/** With a sheet loaded, the file button is next to the step's title. */
const BESIDE_TITLE = { pos: "absolute", top: -2, right: 0 } as const;

function SheetChooser({ scanner, stationEntry }: { scanner: Scanner; stationEntry: ReactNode }) {
  const { state, dispatch, sheetChoice: choice } = scanner;
  const { sheet, sessionName } = state;
  const isReady = sheet.kind === "ready";
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
        ref={drop}
        gap="8px 12px"
        p={isReady ? 0 : 10}
        bd={isReady ? 0 : `1px dashed var(--sd-${isOver ? "accent" : "control"})`}
        bdrs="md"
        bg={isOver ? "var(--sd-accent-soft)" : "transparent"}
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
        <Button size="xs" {...(isReady && BESIDE_TITLE)} onClick={openChooser}>
          Choose File
        </Button>
        <SheetLine sheet={sheet} paste={<Button size="xs" {...paste} />} />
      </Group>
      {sheet.kind === "none" && <ProblemLine mt={10} fw={550} lh={1.4} message={sheet.problem} />}
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
          <Group gap="4px 14px" mt={6} c="dimmed" fz="xs" lh={1.4} style={{ overflowWrap: "anywhere" }}>
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
    default:
      return (
        <Text span fz="sm" style={{ overflowWrap: "anywhere" }}>
          {sheet.kind === "ready" ? selectedMessage(sheet.shownName, sheet.loaded.summary.rowCount) : sheet.shownName}
        </Text>
      );
  }
}

type SheetQuestionsProps = {
  sheet: Extract<SheetState, { kind: "question" }>;
  choice: SheetChoice;
  onTurn: (isOpen: boolean) => void;
  onOther: () => void;
};

/** The questions to answer before the sheet is ready: in a dialog, or in the step after the dialog is closed. */
function SheetQuestions({ sheet, choice, onTurn, onOther }: SheetQuestionsProps) {
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
function SheetColumns({ sheet: { worker, loaded }, choice }: { sheet: ReadySheet; choice: SheetChoice }) {
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

/** The scan station link, next to the file chooser. `isQuiet`: a sheet is chosen, so that a small link suffices. */
function StationEntry({ station, isQuiet }: { station: StationControl; isQuiet: boolean }) {
  const waiting = countWaiting(station.state.ledger);
  const button = { onClick: station.open, children: "Scan slabs instead" };
  return (
    <Box mt={isQuiet ? 0 : 10}>
      {isQuiet ? (
        <TextButton isLink {...button} />
      ) : (
        <Button size="xs" leftSection={<IconBarcode size={16} aria-hidden="true" />} {...button} />
      )}
      {waiting > 0 && (
        <Text fz="xs" lh={1.45} c="dimmed">
          {waitMessage(waiting)}.
        </Text>
      )}
    </Box>
  );
}

function selectedMessage(fileName: string, rowCount: number): string {
  return `Selected: ${fileName} · ${counted(rowCount, "row")}`;
}

/** Takes what is pasted outside any field, files or numbers, while the step is visible and no dialog is open. */
function usePagePaste(step: RefObject<HTMLElement | null>, { chooseFiles, pasteText }: SheetChoice): void {
  useWindowEvent("paste", (event) => {
    if (!step.current || step.current.offsetParent === null || isTyping(event.target)) return;
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

import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";
import { defaultSessionName } from "@slabdesk/contract/sheet/session-name.ts";
import { type Dispatch, useEffect, useMemo, useRef } from "react";
import { logActivity } from "../../../api/activity.ts";
import { errorMessage } from "../../../api/errors.ts";
import type { ReadResult, ScannerEvent } from "../scanner-state.ts";
import { joinedName, refusalOf } from "./file-kinds.ts";
import { PASTED_NAME } from "./pasted-lines.ts";
import { SheetWorkerClient } from "./sheet-worker-client.ts";
import type { EditedField, Guess } from "./sheet-edits.ts";
import type { SheetSource } from "./sheet-parts.ts";
import type { SheetAnswer, SheetColumns, SheetQuestion } from "./sheet-work.ts";
import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import { SHEET_FIELDS } from "@slabdesk/contract/sheet/header.ts";
import { z } from "zod";
import { parseStored, readItem, writeItem } from "../../../ui/stored-items.ts";
import { headerKey, NOTHING_REMEMBERED, type RememberedSheets, workbookKey } from "./remembered-sheets.ts";

/** Chooses the next run's sheet and answers the questions about it. */
export type SheetChoice = ReturnType<typeof useSheet>;

/** One choice, from its files to a ready sheet. */
type Reading = { number: number; fileName: string; worker: SheetWorkerClient; isLogged: boolean };
type SheetsQuestion = Extract<SheetQuestion, { kind: "sheets" }>;

export function useSheet(dispatch: Dispatch<ScannerEvent>) {
  const current = useRef<Reading | null>(null);
  useEffect(() => () => current.current?.worker.close(), []);
  return useMemo(() => {
    const begin = (names: [string, ...string[]], sources: readonly SheetSource[]): void => {
      current.current?.worker.close();
      const number = (current.current?.number ?? 0) + 1;
      const worker = new SheetWorkerClient();
      const fileName = joinedName(names);
      const shownName = names.join(", ");
      const defaultName = defaultSessionName(fileName, new Date());
      current.current = { number, fileName, worker, isLogged: false };
      dispatch({ type: "file_chosen", chosen: { reading: number, fileName, shownName, defaultName, worker } });
      goOn(() => worker.read(sources, readRemembered()));
    };
    const goOn = (ask: (worker: SheetWorkerClient) => Promise<SheetAnswer>): void => {
      if (current.current) void settle(current.current, ask(current.current.worker), dispatch);
    };
    return {
      chooseFiles: (files: readonly File[]): void => {
        const [first, ...others] = files.map(({ name }) => name);
        if (first === undefined) return;
        const problem = refusalOf(files);
        if (problem !== null) {
          current.current?.worker.close();
          return dispatch({ type: "sheet_closed", problem });
        }
        const sources = files.map((file): SheetSource => ({ kind: "file", file }));
        begin([first, ...others], sources);
      },
      pasteText: (text: string): void => begin([PASTED_NAME], [{ kind: "text", text }]),
      chooseSheets: ({ source, fileName, sheets }: SheetsQuestion, names: readonly string[]): void => {
        const sheetNames = sheets.map((sheet) => sheet.name);
        remember("sheets", workbookKey(fileName, sheetNames), [...names]);
        goOn((worker) => worker.ask("useSheets", source, names));
      },
      chooseColumns: ({ part, header, headerLine }: SheetColumns, mapping: SheetMapping): void => {
        const { columns, company } = mapping;
        if (headerLine !== null) remember("columns", headerKey(header), { columns, company });
        goOn((worker) => worker.ask("useColumns", part, mapping));
      },
      editCell: (line: number, field: EditedField, text: string): void =>
        goOn((worker) => worker.ask("editCell", line, field, text)),
      guessCompanies: (guess: Guess): void => goOn((worker) => worker.ask("guessCompanies", guess)),
      acceptSuggestions: (): void => goOn((worker) => worker.ask("acceptSuggestions")),
      /** Frees the memory of a sheet whose run has started. */
      release: (reading: number): void => {
        if (current.current?.number === reading) current.current.worker.close();
      },
      close: (): void => {
        current.current?.worker.close();
        dispatch({ type: "sheet_closed", problem: null });
      },
    };
  }, [dispatch]);
}

let versions = 0;

async function settle(reading: Reading, asked: Promise<SheetAnswer>, dispatch: Dispatch<ScannerEvent>): Promise<void> {
  const show = (result: ReadResult): void => dispatch({ type: "sheet_read", reading: reading.number, result });
  const fail = (problem: string): void => {
    reading.worker.close();
    show({ kind: "none", problem });
  };
  try {
    const answer = await asked;
    if (answer.kind === "refused") return fail(answer.message);
    if (answer.kind === "question") return show({ ...answer, isOpen: true });
    versions += 1;
    show({ kind: "ready", loaded: { version: versions, ...answer } });
    if (reading.isLogged) return;
    reading.isLogged = true;
    void logActivity({
      activityType: "csv_upload",
      description: `Uploaded ${reading.fileName.slice(0, 300)}`,
      metadata: { fileName: reading.fileName.slice(0, 500), rowCount: answer.summary.rowCount },
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    fail(errorMessage(error));
    throw error;
  }
}

const STORAGE_KEY = "slabdesk-sheets";
/** More headers than anyone has. The oldest answers are dropped. */
const MOST_ANSWERS = 50;

const mapping = z.object({
  columns: z.partialRecord(z.enum(SHEET_FIELDS), z.number().int().min(0).max(500)),
  company: z.enum(COMPANIES).nullable(),
});
const rememberedSchema = z.object({
  columns: z.record(z.string(), mapping),
  sheets: z.record(z.string(), z.array(z.string())),
});

function readRemembered(): RememberedSheets {
  return parseRemembered(readItem("localStorage", STORAGE_KEY));
}

export function parseRemembered(text: string | null): RememberedSheets {
  return parseStored(rememberedSchema, text) ?? NOTHING_REMEMBERED;
}

type Answer<Kind extends keyof RememberedSheets> = RememberedSheets[Kind][string];

function remember<Kind extends keyof RememberedSheets>(kind: Kind, key: string | null, answer: Answer<Kind>): void {
  if (key === null) return;
  const remembered = readRemembered();
  const others = Object.entries(remembered[kind]).filter(([other]) => other !== key);
  const answers = Object.fromEntries([...others.slice(1 - MOST_ANSWERS), [key, answer]]);
  writeItem("localStorage", STORAGE_KEY, JSON.stringify({ ...remembered, [kind]: answers }));
}

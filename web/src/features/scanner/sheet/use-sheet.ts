import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";
import { defaultSessionName } from "@slabdesk/contract/sheet/session-name.ts";
import { type Dispatch, useEffect, useMemo, useRef } from "react";
import { logActivity } from "../../../api/activity.ts";
import { errorMessage } from "../../../api/error-messages.ts";
import type { ReadResult, ScannerEvent } from "../scanner-state.ts";
import { readRemembered, rememberColumns, rememberSheets } from "./remembered-columns.ts";
import { joinedName, refusalOf } from "./file-kinds.ts";
import { PASTED_NAME } from "./pasted-lines.ts";
import { SheetWorkerClient } from "./sheet-worker-client.ts";
import type { SheetSource } from "./sheet-parts.ts";
import type { ColumnsView, SheetAnswer, SheetQuestion } from "./sheet-work.ts";

/** Chooses the next run's sheet and answers the questions about it. */
export type SheetChoice = {
  chooseFiles: (files: readonly File[]) => void;
  pasteText: (text: string) => void;
  chooseSheets: (question: Extract<SheetQuestion, { kind: "sheets" }>, names: readonly string[]) => void;
  chooseColumns: (columns: ColumnsView, mapping: SheetMapping) => void;
};

export function useSheet(dispatch: Dispatch<ScannerEvent>): SheetChoice {
  const current = useRef<Reading | null>(null);
  useEffect(() => () => current.current?.worker.close(), []);
  return useMemo(() => {
    const begin = (names: [string, ...string[]], sources: readonly SheetSource[]): void => {
      current.current?.worker.close();
      current.current = new Reading((current.current?.number ?? 0) + 1, dispatch);
      void current.current.begin(names, sources);
    };
    return {
      chooseFiles: (files) => {
        const [first, ...others] = files.map(({ name }) => name);
        if (first === undefined) return;
        const problem = refusalOf(files);
        if (problem === null)
          begin(
            [first, ...others],
            files.map((file) => ({ kind: "file", file })),
          );
        else {
          current.current?.worker.close();
          dispatch({ type: "file_refused", problem });
        }
      },
      pasteText: (text) => begin([PASTED_NAME], [{ kind: "text", text }]),
      chooseSheets: ({ source, fileName, sheets }, names) => {
        rememberSheets(
          fileName,
          sheets.map((sheet) => sheet.name),
          names,
        );
        void current.current?.goOn((worker) => worker.ask("useSheets", source, names));
      },
      chooseColumns: ({ part, header, headerLine }, mapping) => {
        if (headerLine !== null) rememberColumns(header, mapping);
        void current.current?.goOn((worker) => worker.ask("useColumns", part, mapping));
      },
    };
  }, [dispatch]);
}

let versions = 0;

/** One choice, from its files to a ready sheet. */
class Reading {
  readonly worker = new SheetWorkerClient();
  readonly number: number;
  readonly #dispatch: Dispatch<ScannerEvent>;
  #fileName = "";
  #isLogged = false;

  constructor(number: number, dispatch: Dispatch<ScannerEvent>) {
    this.number = number;
    this.#dispatch = dispatch;
  }

  async begin(names: [string, ...string[]], sources: readonly SheetSource[]): Promise<void> {
    const fileName = joinedName(names);
    this.#fileName = fileName;
    const defaultName = defaultSessionName(fileName, new Date());
    const { number: reading, worker } = this;
    this.#dispatch({
      type: "file_chosen",
      chosen: { reading, fileName, shownName: names.join(", "), defaultName, worker },
    });
    await this.goOn((worker) => worker.read(sources, readRemembered()));
  }

  /** Applies the sheet worker's next answer. */
  async goOn(ask: (worker: SheetWorkerClient) => Promise<SheetAnswer>): Promise<void> {
    try {
      this.#settle(await ask(this.worker));
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      this.#fail(errorMessage(error));
      throw error;
    }
  }

  #settle(answer: SheetAnswer): void {
    switch (answer.kind) {
      case "refused":
        return this.#fail(answer.message);
      case "question":
        return this.#show({ ...answer, isOpen: true });
      case "ready": {
        const { summaries, columns } = answer;
        versions += 1;
        this.#show({ kind: "ready", loaded: { version: versions, summaries, columns } });
        this.#log(summaries.asTyped.rowCount);
      }
    }
  }

  #fail(problem: string): void {
    this.worker.close();
    this.#show({ kind: "none", problem });
  }

  #show(result: ReadResult): void {
    this.#dispatch({ type: "sheet_read", reading: this.number, result });
  }

  #log(rowCount: number): void {
    if (this.#isLogged) return;
    this.#isLogged = true;
    void logActivity({
      activityType: "csv_upload",
      description: `Uploaded ${this.#fileName.slice(0, 300)}`,
      metadata: { fileName: this.#fileName.slice(0, 500), rowCount },
    });
  }
}

import { DEFAULT_MODE, type Mode } from "@slabdesk/contract/api/cards.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { newerSession } from "../../session/newer-session.ts";
import type { SheetSummaries, SheetSummary } from "./sheet-summary.ts";
import type { SheetWorkerClient } from "./sheet/sheet-worker-client.ts";
import type { ColumnsView, SheetQuestion } from "./sheet/sheet-work.ts";

/**
 * The scanner tab as states.
 *
 * Sheet: `none` → `reading` (files were chosen, the worker reads them) → `ready`, with `asking` in between when neither
 * names nor contents tell which sheet or columns are meant, or back to `none` with `problem` saying why. A sheet that
 * is `ready` may be read by other columns and is `ready` again. Choosing again is allowed in each of them; what an older
 * reading brings is dropped by its number.
 *
 * Run: `looking` (which session is to be shown after a reload?) → `none` or `attached`;
 * `none`/`attached` → `starting` → `attached`, or back with `problem`. An attached session that is `processing`
 * goes on in the server whatever happens here; `isStopping` stands from the request until its end is seen. One that is
 * over may be `processing` again at any time: it was resumed, or rows of it were sent again, here or elsewhere.
 * A start is impossible while looking, starting, or attached to a session that is at work: processing, with more cards
 * to look up than to wait for. Prices that are still to come are in nobody's way.
 *
 * A session that is deleted under the page, by an administrator, leaves `none`, and stands in `deleted` until another
 * one is shown.
 *
 * `draft` counts what a start would send: it changes with every choice and after every start, so a key made from it
 * is the same for a double click or a second try, and another one for another run.
 */
export type ScannerState = {
  hasTemplate: boolean;
  sheet: SheetState;
  sessionName: string;
  options: RunOptions;
  draft: number;
  run: RunState;
  /** The view was cleared: the session's rows are kept out of the table, not deleted. */
  isCleared: boolean;
  /** The id of the session that was shown until it was deleted. */
  deleted: string | null;
};

/** `acceptCompanies` is about one sheet: the next one begins without it. */
export type RunOptions = { mode: Mode; reuseKnown: boolean; acceptCompanies: boolean; includePricing: boolean };

/** What was chosen: the name its session goes by, the names it is shown with, and where the work on it is done. */
export type ChosenSheet = {
  reading: number;
  fileName: string;
  shownName: string;
  defaultName: string;
  worker: SheetWorkerClient;
};

export type SheetState =
  | { kind: "none"; problem: string | null }
  | ({ kind: "reading" } & ChosenSheet)
  | ({ kind: "asking"; question: SheetQuestion; isOpen: boolean } & ChosenSheet)
  | ({ kind: "ready"; loaded: LoadedSheet } & ChosenSheet);

/** What the page knows of a sheet; its rows are with the desk. `version` is another one for other columns. */
export type LoadedSheet = { version: number; summaries: SheetSummaries; columns: ColumnsView[] };

export type RunState =
  | { kind: "looking" }
  | { kind: "none"; problem: string | null }
  | { kind: "starting"; previous: ScanSession | null }
  | { kind: "attached"; session: ScanSession; isStopping: boolean; problem: string | null };

export type ScannerEvent =
  | { type: "template_downloaded" }
  | ({ type: "file_chosen" } & ChosenSheet)
  | { type: "file_refused"; problem: string }
  | { type: "sheet_asked"; reading: number; question: SheetQuestion }
  | { type: "question_turned"; isOpen: boolean }
  | { type: "sheet_read"; reading: number; loaded: LoadedSheet }
  | { type: "sheet_failed"; reading: number; problem: string }
  | { type: "name_typed"; sessionName: string }
  | { type: "mode_chosen"; mode: Mode }
  | { type: "reuse_chosen"; reuseKnown: boolean }
  | { type: "companies_chosen"; acceptCompanies: boolean }
  | { type: "pricing_chosen"; includePricing: boolean }
  | { type: "session_found"; session: ScanSession | null }
  | { type: "session_search_failed"; problem: string }
  | { type: "session_shown"; session: ScanSession }
  | { type: "session_gone"; sessionId: string }
  | { type: "start_refused"; problem: string }
  | { type: "start_requested" }
  | { type: "started"; session: ScanSession }
  | { type: "start_failed"; problem: string }
  | { type: "stop_requested" }
  | { type: "stop_failed"; problem: string }
  | { type: "session_changed"; session: ScanSession }
  | { type: "view_cleared" }
  | { type: "view_restored" };

export const INITIAL_STATE: ScannerState = {
  hasTemplate: false,
  sheet: { kind: "none", problem: null },
  sessionName: "",
  options: { mode: DEFAULT_MODE, reuseKnown: true, acceptCompanies: false, includePricing: false },
  draft: 0,
  run: { kind: "looking" },
  isCleared: false,
  deleted: null,
};

export function scannerReducer(state: ScannerState, event: ScannerEvent): ScannerState {
  switch (event.type) {
    case "template_downloaded":
      return { ...state, hasTemplate: true };
    case "file_chosen":
    case "file_refused":
    case "sheet_asked":
    case "question_turned":
    case "sheet_read":
    case "sheet_failed":
      return reduceSheet(state, event);
    case "name_typed":
      return changed(state, { sessionName: event.sessionName });
    case "mode_chosen":
      return changed(state, { options: { ...state.options, mode: event.mode } });
    case "reuse_chosen":
      return changed(state, { options: { ...state.options, reuseKnown: event.reuseKnown } });
    case "companies_chosen":
      return changed(state, { options: { ...state.options, acceptCompanies: event.acceptCompanies } });
    case "pricing_chosen":
      return changed(state, { options: { ...state.options, includePricing: event.includePricing } });
    case "view_cleared":
      return { ...state, isCleared: true, run: isRunning(state.run) ? state.run : { kind: "none", problem: null } };
    case "view_restored":
      return { ...state, isCleared: false };
    default:
      return reduceRun(state, event);
  }
}

type SheetEvent = Extract<
  ScannerEvent,
  { type: "file_chosen" | "file_refused" | "sheet_asked" | "question_turned" | "sheet_read" | "sheet_failed" }
>;

function reduceSheet(state: ScannerState, event: SheetEvent): ScannerState {
  switch (event.type) {
    case "file_chosen": {
      const { type: _, ...chosen } = event;
      const options = { ...state.options, acceptCompanies: false };
      return changed(state, {
        sheet: { kind: "reading", ...chosen },
        sessionName: "",
        options,
        run: withProblem(state.run, null),
      });
    }
    case "file_refused":
      return changed(state, { sheet: { kind: "none", problem: event.problem } });
    case "sheet_asked": {
      const chosen = chosenAs(state.sheet, event.reading);
      return chosen
        ? changed(state, { sheet: { ...chosen, kind: "asking", question: event.question, isOpen: true } })
        : state;
    }
    case "question_turned":
      return state.sheet.kind === "asking" ? { ...state, sheet: { ...state.sheet, isOpen: event.isOpen } } : state;
    case "sheet_read": {
      const chosen = chosenAs(state.sheet, event.reading);
      return chosen ? changed(state, { sheet: { ...chosen, kind: "ready", loaded: event.loaded } }) : state;
    }
    case "sheet_failed": {
      const chosen = chosenAs(state.sheet, event.reading);
      return chosen ? changed(state, { sheet: { kind: "none", problem: event.problem } }) : state;
    }
  }
}

/** The sheet of this reading; null when another one was chosen since. */
function chosenAs(sheet: SheetState, reading: number): ChosenSheet | null {
  if (sheet.kind === "none" || sheet.reading !== reading) return null;
  const { fileName, shownName, defaultName, worker } = sheet;
  return { reading, fileName, shownName, defaultName, worker };
}

/** The summary of a sheet as it would run now. */
export function summaryOf({ summaries }: LoadedSheet, { acceptCompanies }: RunOptions): SheetSummary {
  return acceptCompanies ? summaries.accepted : summaries.asTyped;
}

type RunEvent = Exclude<
  ScannerEvent,
  | SheetEvent
  | {
      type:
        | "template_downloaded"
        | "name_typed"
        | "mode_chosen"
        | "reuse_chosen"
        | "companies_chosen"
        | "pricing_chosen"
        | "view_cleared"
        | "view_restored";
    }
>;

function reduceRun(state: ScannerState, event: RunEvent): ScannerState {
  const { run } = state;
  switch (event.type) {
    case "session_found":
      if (run.kind !== "looking") return state;
      return { ...state, run: event.session ? attachedTo(event.session) : { kind: "none", problem: null } };
    case "session_search_failed":
      return run.kind === "looking" ? { ...state, run: { kind: "none", problem: event.problem } } : state;
    case "session_shown":
      return showing(state, event.session);
    case "session_gone":
      return without(state, event.sessionId);
    case "start_refused":
      return { ...state, run: withProblem(run, event.problem) };
    case "start_requested":
      return canStart(run) ? { ...state, run: { kind: "starting", previous: sessionOf(run) } } : state;
    case "started":
      return run.kind === "starting"
        ? { ...state, draft: state.draft + 1, isCleared: false, deleted: null, run: attachedTo(event.session) }
        : state;
    case "start_failed": {
      if (run.kind !== "starting") return state;
      return {
        ...state,
        run: run.previous
          ? { ...attachedTo(run.previous), problem: event.problem }
          : { kind: "none", problem: event.problem },
      };
    }
    case "stop_requested":
      return run.kind === "attached" && isRunning(run)
        ? { ...state, run: { ...run, isStopping: true, problem: null } }
        : state;
    case "stop_failed":
      return run.kind === "attached" ? { ...state, run: { ...run, isStopping: false, problem: event.problem } } : state;
    case "session_changed":
      return withSession(state, event.session);
  }
}

/** Shows a session in the place of the one that is shown, which goes on by itself; a start is not disturbed. */
function showing(state: ScannerState, session: ScanSession): ScannerState {
  if (sessionOf(state.run)?.id === session.id) return withSession(state, session);
  return state.run.kind === "starting"
    ? state
    : { ...state, isCleared: false, deleted: null, run: attachedTo(session) };
}

/** A session that is deleted is shown no longer; a start is not disturbed. */
function without(state: ScannerState, sessionId: string): ScannerState {
  if (sessionOf(state.run)?.id !== sessionId) return state;
  const run: RunState =
    state.run.kind === "starting" ? { kind: "starting", previous: null } : { kind: "none", problem: null };
  return { ...state, isCleared: false, deleted: sessionId, run };
}

/** Takes a session's newer state; one of another session or an older state is dropped. */
function withSession(state: ScannerState, session: ScanSession): ScannerState {
  const { run } = state;
  if (run.kind !== "attached") return state;
  const newer = newerSession(run.session, session);
  if (newer === run.session) return state;
  return { ...state, run: { ...run, session: newer, isStopping: run.isStopping && newer.status === "processing" } };
}

function changed(state: ScannerState, change: Partial<ScannerState>): ScannerState {
  return { ...state, ...change, draft: state.draft + 1 };
}

function attachedTo(session: ScanSession): Extract<RunState, { kind: "attached" }> {
  return { kind: "attached", session, isStopping: false, problem: null };
}

function withProblem(run: RunState, problem: string | null): RunState {
  return run.kind === "none" || run.kind === "attached" ? { ...run, problem } : run;
}

/** The session whose card is shown, if any. */
export function sessionOf(run: RunState): ScanSession | null {
  if (run.kind === "attached") return run.session;
  return run.kind === "starting" ? run.previous : null;
}

export function isRunning(run: RunState): boolean {
  return run.kind === "attached" && run.session.status === "processing";
}

/**
 * True while a run has cards to look up. One whose cards all wait, perhaps until tomorrow, is in nobody's way, and
 * neither is one that has only prices to fetch.
 */
export function isAtWork(run: RunState): boolean {
  if (run.kind !== "attached" || run.session.status !== "processing") return false;
  const { counts, prices } = run.session;
  const { pending = 0, processing = 0, queued = 0, waiting = 0 } = counts;
  return pending + processing + queued > 0 || waiting + prices.pending === 0;
}

/** True when Process Data may start a run: none is at work and none is being started or looked for. */
export function canStart(run: RunState): boolean {
  return (run.kind === "none" || run.kind === "attached") && !isAtWork(run);
}

export function problemOf(run: RunState): string | null {
  return run.kind === "none" || run.kind === "attached" ? run.problem : null;
}

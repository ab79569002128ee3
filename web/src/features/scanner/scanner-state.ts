import { DEFAULT_MODE, type Mode } from "@slabdesk/contract/api/cards.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { newerSession } from "../../run/newer-session.ts";
import type { SheetSummaries, SheetSummary } from "./sheet/sheet-summary.ts";
import type { SheetWorkerClient } from "./sheet/sheet-worker-client.ts";
import type { ColumnsView, SheetQuestion } from "./sheet/sheet-work.ts";

/**
 * The scanner tab's state machine.
 *
 * Sheet: `none` → `reading` (the worker reads the chosen files) → `ready`. `asking` comes in between if names and
 * contents don't identify the sheet or its columns. A failure returns to `none` with `problem`. A `ready` sheet can be
 * reread with other columns and is `ready` again. Files can be chosen in any state; results of an older reading are
 * dropped by its number.
 *
 * Run: `looking` (finding the session to show after a reload) → `none` or `attached`. `none` or `attached` → `starting`
 * → `attached`, or back with `problem`. An attached session that is `processing` continues on the server whatever
 * happens here. `isStopping` is set from the stop request until the end is seen. A finished session can become
 * `processing` again at any time, if it is resumed or its rows are retried, here or elsewhere. A start is not allowed
 * while looking, while starting, or while the attached session is at work (see `isAtWork`). Waiting cards and pending
 * prices don't block a start.
 *
 * If an admin deletes the shown session, the run becomes `none`, and `deleted` holds its ID until another session is
 * shown.
 *
 * `draft` is a version number of what a start would send. It changes with every choice and after every start. An
 * idempotency key made from it is the same for a double click or a retry, and different for another run.
 */
export type ScannerState = {
  hasTemplate: boolean;
  sheet: SheetState;
  sessionName: string;
  options: RunOptions;
  draft: number;
  run: RunState;
  /** The view was cleared: the rows are hidden from the table, not deleted. */
  isCleared: boolean;
  /** The ID of the shown session after it was deleted. */
  deleted: string | null;
};

/** `acceptCompanies` applies to one sheet and resets for the next. */
export type RunOptions = { mode: Mode; reuseKnown: boolean; acceptCompanies: boolean; includePricing: boolean };

/** The chosen files: the session's file name, the display name, the default session name, and the sheet worker. */
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
  | ({ kind: "question"; question: SheetQuestion; isOpen: boolean } & ChosenSheet)
  | ({ kind: "ready"; loaded: LoadedSheet } & ChosenSheet);

/** What the page knows of a sheet; the worker holds its rows. `version` changes with the columns. */
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
        ? changed(state, { sheet: { ...chosen, kind: "question", question: event.question, isOpen: true } })
        : state;
    }
    case "question_turned":
      return state.sheet.kind === "question" ? { ...state, sheet: { ...state.sheet, isOpen: event.isOpen } } : state;
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

/** The chosen sheet if it belongs to this reading; null if another was chosen since. */
function chosenAs(sheet: SheetState, reading: number): ChosenSheet | null {
  if (sheet.kind === "none" || sheet.reading !== reading) return null;
  const { fileName, shownName, defaultName, worker } = sheet;
  return { reading, fileName, shownName, defaultName, worker };
}

/** The summary of a sheet with the current options. */
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

/** Replaces the shown session, which continues in the background. Doesn't interrupt a start. */
function showing(state: ScannerState, session: ScanSession): ScannerState {
  if (sessionOf(state.run)?.id === session.id) return withSession(state, session);
  return state.run.kind === "starting"
    ? state
    : { ...state, isCleared: false, deleted: null, run: attachedTo(session) };
}

/** Removes a deleted session from the view. Doesn't interrupt a start. */
function without(state: ScannerState, sessionId: string): ScannerState {
  if (sessionOf(state.run)?.id !== sessionId) return state;
  const run: RunState =
    state.run.kind === "starting" ? { kind: "starting", previous: null } : { kind: "none", problem: null };
  return { ...state, isCleared: false, deleted: sessionId, run };
}

/** Applies a newer state of the attached session. Drops older states and other sessions. */
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

/** The session in the session card, if any. */
export function sessionOf(run: RunState): ScanSession | null {
  if (run.kind === "attached") return run.session;
  return run.kind === "starting" ? run.previous : null;
}

export function isRunning(run: RunState): boolean {
  return run.kind === "attached" && run.session.status === "processing";
}

/**
 * True while a run has cards to look up. False if all cards wait, perhaps until tomorrow, or only prices are pending:
 * such a run doesn't block a start.
 */
export function isAtWork(run: RunState): boolean {
  if (run.kind !== "attached" || run.session.status !== "processing") return false;
  const { counts, prices } = run.session;
  const { pending = 0, processing = 0, queued = 0, waiting = 0 } = counts;
  return pending + processing + queued > 0 || waiting + prices.pending === 0;
}

/** True if Process Data may start a run: none is at work, starting, or being looked for. */
export function canStart(run: RunState): boolean {
  return (run.kind === "none" || run.kind === "attached") && !isAtWork(run);
}

export function problemOf(run: RunState): string | null {
  return run.kind === "none" || run.kind === "attached" ? run.problem : null;
}

import { DEFAULT_MODE } from "@slabdesk/contract/api/cards.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { SheetWorkerClient } from "./sheet/sheet-worker-client.ts";
import type { RunOptions, SheetContents, SheetQuestion } from "./sheet/sheet-work.ts";

/**
 * The scanner tab's state machine.
 *
 * Sheet: `none` → `reading` (the worker reads the chosen files) → `ready`. `question` comes in between if names and
 * contents don't identify the sheet or its columns. A failure returns to `none` with `problem`. A `ready` sheet can be
 * edited and reread with other columns, and is `ready` again. A start returns to `none`. Files can be chosen in any state;
 * results of an older reading are dropped by its number.
 *
 * Run: `searching` (finding the session to show after a reload) → `idle` ⇄ `starting`. A start is not allowed while
 * searching, while starting, or while the shown session is at work (see `isAtWork`). Waiting cards and pending prices
 * don't block a start. The shown session continues on the server whatever happens here. It can become `processing` again
 * at any time, if it is resumed or its rows are retried, here or elsewhere.
 *
 * `draft` is a version number of what a start would send. It changes with every choice and after every start. An
 * idempotency key made from it is the same for a double click or a retry, and different for another run.
 */
export type ScannerState = {
  sheet: SheetState;
  /** The sheet of the run just started. It stays in the table until the run's rows arrive. */
  started: ReadySheet | null;
  sessionName: string;
  options: RunOptions;
  draft: number;
  run: "searching" | "idle" | "starting";
  /** The session in the session card, as first shown. Its store in `run/open-session.ts` has its current state. */
  shown: ScanSession | null;
  /** From the stop request until the end of the run is seen. */
  isStopping: boolean;
  /** Why a run could not be found, started, or stopped. */
  problem: string | null;
  /** The view was cleared: the rows are hidden from the table, not deleted. */
  isCleared: boolean;
  /** The ID of the shown session after an admin deleted it, until another session is shown. */
  deleted: string | null;
  /** The ID of a session that the place names and this user may not see, until another session is shown. */
  refused: string | null;
};

/** The chosen files: the session's file name, the display name, the default session name, and the sheet worker. */
export type ChosenSheet = {
  reading: number;
  fileName: string;
  shownName: string;
  defaultName: string;
  worker: SheetWorkerClient;
};

/** What the page shows of a sheet; the worker holds its rows. `version` changes with every edit. */
export type LoadedSheet = SheetContents & { version: number };

type NoSheet = { kind: "none"; problem: string | null };
export type ReadResult =
  | NoSheet
  | { kind: "question"; question: SheetQuestion; isOpen: boolean }
  | { kind: "ready"; loaded: LoadedSheet };

export type SheetState = NoSheet | (ChosenSheet & ({ kind: "reading" } | Exclude<ReadResult, NoSheet>));
export type ReadySheet = Extract<SheetState, { kind: "ready" }>;

export type ScannerEvent =
  | { type: "file_chosen"; chosen: ChosenSheet }
  | { type: "sheet_read"; reading: number; result: ReadResult }
  | { type: "sheet_closed"; problem: string | null }
  | { type: "question_turned"; isOpen: boolean }
  | { type: "name_typed"; sessionName: string }
  | { type: "options_chosen"; options: Partial<RunOptions> }
  | { type: "session_found"; session: ScanSession | null }
  | { type: "session_search_failed"; problem: string }
  | { type: "session_shown"; session: ScanSession }
  | { type: "session_refused"; sessionId: string }
  | { type: "session_left" }
  | { type: "session_gone"; sessionId: string }
  | { type: "start_refused"; problem: string }
  | { type: "start_requested" }
  | { type: "started"; session: ScanSession }
  /** `problem` is null if the user cancelled the start. */
  | { type: "start_failed"; problem: string | null }
  | { type: "stop_requested" }
  | { type: "stop_failed"; problem: string }
  | { type: "run_ended" }
  | { type: "view_cleared"; isRunning: boolean }
  | { type: "view_restored" };

export const INITIAL_STATE: ScannerState = {
  sheet: { kind: "none", problem: null },
  started: null,
  sessionName: "",
  options: { mode: DEFAULT_MODE, reuseKnown: true, includePricing: false },
  draft: 0,
  run: "searching",
  shown: null,
  isStopping: false,
  problem: null,
  isCleared: false,
  deleted: null,
  refused: null,
};

export function scannerReducer(state: ScannerState, event: ScannerEvent): ScannerState {
  const { sheet, options, run, shown } = state;
  switch (event.type) {
    case "file_chosen":
      return changed(state, {
        sheet: { kind: "reading", ...event.chosen },
        sessionName: "",
        problem: null,
        started: null,
      });
    case "sheet_closed":
      return changed(state, { sheet: { kind: "none", problem: event.problem }, problem: null });
    case "sheet_read":
      return withRead(state, event.reading, event.result);
    case "question_turned":
      return sheet.kind === "question" ? { ...state, sheet: { ...sheet, isOpen: event.isOpen } } : state;
    case "name_typed":
      return changed(state, { sessionName: event.sessionName });
    case "options_chosen":
      return changed(state, { options: { ...options, ...event.options } });
    case "view_cleared":
      return { ...state, isCleared: true, ...(event.isRunning ? {} : { shown: null, problem: null }) };
    case "view_restored":
      return { ...state, isCleared: false };
    case "session_found":
      return run === "searching" ? { ...state, run: "idle", shown: event.session } : state;
    case "session_search_failed":
      return { ...state, run: run === "searching" ? "idle" : run, problem: event.problem };
    case "session_shown":
      if (run === "starting" || shown?.id === event.session.id) return state;
      return { ...withoutSession(state), shown: event.session };
    case "session_refused":
      return run === "starting" ? state : { ...withoutSession(state), refused: event.sessionId };
    case "session_left":
      return run === "starting" ? state : withoutSession(state);
    case "session_gone":
      if (shown?.id !== event.sessionId) return state;
      return { ...withoutSession(state), run, deleted: event.sessionId };
    case "start_refused":
      return { ...state, problem: event.problem };
    case "start_requested":
      return run === "idle" ? { ...state, run: "starting", isStopping: false, problem: null } : state;
    case "started":
      if (run !== "starting") return state;
      // The sheet is put away, so that a second click can't start it again.
      return changed(withoutSession(state), {
        sheet: INITIAL_STATE.sheet,
        sessionName: "",
        started: sheet.kind === "ready" ? sheet : null,
        shown: event.session,
      });
    case "start_failed":
      return run === "starting" ? { ...state, run: "idle", problem: event.problem } : state;
    case "stop_requested":
      return { ...state, isStopping: true, problem: null };
    case "stop_failed":
      return { ...state, isStopping: false, problem: event.problem };
    case "run_ended":
      return { ...state, isStopping: false };
  }
}

function withRead(state: ScannerState, reading: number, result: ReadResult): ScannerState {
  const { sheet } = state;
  // Another sheet was chosen since.
  if (sheet.kind === "none" || sheet.reading !== reading) return state;
  if (result.kind === "none") return changed(state, { sheet: result, problem: null });
  const { fileName, shownName, defaultName, worker } = sheet;
  return changed(state, { sheet: { reading, fileName, shownName, defaultName, worker, ...result } });
}

/** The session that was shown continues in the background. */
function withoutSession(state: ScannerState): ScannerState {
  const none = { shown: null, started: null, problem: null, deleted: null, refused: null };
  return { ...state, ...none, run: "idle", isStopping: false, isCleared: false };
}

function changed(state: ScannerState, change: Partial<ScannerState>): ScannerState {
  return { ...state, ...change, draft: state.draft + 1 };
}

export function isRunning(session: ScanSession | null): boolean {
  return session?.status === "processing";
}

/** True while a run has cards to look up now. If all cards wait or only prices are pending, another run may start. */
export function isAtWork(session: ScanSession | null): boolean {
  if (session?.status !== "processing") return false;
  const { pending = 0, processing = 0, queued = 0, waiting = 0 } = session.counts;
  return pending + processing + queued > 0 || waiting + session.prices.pending === 0;
}

/** True if Process Data may start a run: none is at work, starting, or being searched for. */
export function canStart(run: ScannerState["run"], session: ScanSession | null): boolean {
  return run === "idle" && !isAtWork(session);
}

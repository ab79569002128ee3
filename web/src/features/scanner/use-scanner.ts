import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef } from "react";
import { getAuthSession } from "../../api/account.ts";
import { startScanSession } from "../../api/sessions.ts";
import { errorMessage } from "../../api/error-messages.ts";
import { mayPass } from "../../api/errors.ts";
import type { RowsStore } from "../../run/rows-store.ts";
import { findSessionToShow } from "./find-session.ts";
import { tellDeleted } from "../../run/deleted-session.ts";
import { type RowsLoading, TRY_AGAIN_MS } from "../../run/open-session.ts";
import { stopRun } from "../../run/session-requests.ts";
import { NO_ROWS, type ShownSession, useOpenSession } from "../../run/use-open-session.ts";
import { forgetSession, rememberSession, rememberUnfinished } from "./remembered-session.ts";
import {
  canStart,
  INITIAL_STATE,
  isRunning,
  type ScannerEvent,
  type ScannerState,
  scannerReducer,
  sessionOf,
} from "./scanner-state.ts";
import { type SheetChoice, useSheet } from "./sheet/use-sheet.ts";

/** Why a start is refused. */
export const START_MESSAGES = {
  noSheet: "Please upload a CSV file first.",
  noUser: "Authentication error. Please refresh and login again.",
  signedOut: "Authentication required. Please login to process cards.",
} as const;

export type Scanner = {
  state: ScannerState;
  dispatch: Dispatch<ScannerEvent>;
  /** The rows of the attached session. */
  rows: RowsStore;
  /** The rows to show: none after the view was cleared. */
  shownRows: RowsStore;
  loading: RowsLoading;
  /** False while the server is unreachable; the data may be outdated. */
  isReached: boolean;
  sheetChoice: SheetChoice;
  start: () => void;
  stop: () => void;
};

/** The scanner's workflow: the states of `scanner-state.ts` and the calls between them. */
export function useScanner(profile: Profile | null): Scanner {
  const [state, dispatch] = useReducer(scannerReducer, INITIAL_STATE);
  const session = sessionOf(state.run);
  const opened = useOpenSession(session?.id ?? null, { known: session });
  const { rows, loading, isReached } = opened;
  useSessionEvents(opened, dispatch);
  useRememberedSession(session);
  useSessionAtStart(dispatch);

  const sheetChoice = useSheet(dispatch);
  const tabKey = useRef<string | null>(null);
  /** The reading whose sheet starts as soon as it is read, because the user requested a run in the meantime. */
  const startWhenRead = useRef<number | null>(null);
  const start = (): void => {
    startWhenRead.current = null;
    if (!canStart(state.run)) return;
    if (state.sheet.kind === "none") return dispatch({ type: "start_refused", problem: START_MESSAGES.noSheet });
    if (state.sheet.kind === "question") return dispatch({ type: "question_turned", isOpen: true });
    if (state.sheet.kind === "reading") {
      startWhenRead.current = state.sheet.reading;
      return;
    }
    if (!profile) return dispatch({ type: "start_refused", problem: START_MESSAGES.noUser });
    dispatch({ type: "start_requested" });
    tabKey.current ??= randomKey();
    void startRun(state, { userId: profile.id, idempotencyKey: `${tabKey.current}-${state.draft}`, dispatch });
  };
  useEffect(() => {
    if (state.sheet.kind === "ready" && state.sheet.reading === startWhenRead.current) start();
  });
  const stop = (): void => {
    if (!isRunning(state.run) || state.run.kind !== "attached") return;
    dispatch({ type: "stop_requested" });
    stopRun(state.run.session.id).catch((error: unknown) =>
      dispatch({ type: "stop_failed", problem: errorMessage(error) }),
    );
  };
  const shownRows = state.isCleared ? NO_ROWS : rows;
  return { state, dispatch, rows, shownRows, loading, isReached, sheetChoice, start, stop };
}

/** Tells the workflow what happens to the shown session. */
function useSessionEvents({ session, loading }: ShownSession, dispatch: Dispatch<ScannerEvent>): void {
  useEffect(() => {
    if (session !== null) dispatch({ type: "session_changed", session });
  }, [session, dispatch]);
  const isGone = loading.kind === "gone";
  const tellGone = useEffectEvent(() => {
    if (session === null) return;
    forgetSession(session.id);
    tellDeleted(session);
    dispatch({ type: "session_gone", sessionId: session.id });
  });
  useEffect(() => {
    if (isGone) tellGone();
  }, [isGone]);
}

function useSessionAtStart(dispatch: Dispatch<ScannerEvent>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const find = async (): Promise<void> => {
      try {
        dispatch({ type: "session_found", session: await findSessionToShow() });
      } catch (error) {
        if (mayPass(error)) timer = setTimeout(() => void find(), TRY_AGAIN_MS);
        else dispatch({ type: "session_search_failed", problem: errorMessage(error) });
      }
    };
    void find();
    return () => clearTimeout(timer);
  }, [dispatch]);
}

/** Remembers the shown session and a run whose end no one has seen, for a reload. */
function useRememberedSession(session: ScanSession | null): void {
  const sessionId = session?.id ?? null;
  const isGoingOn = session?.status === "processing";
  useEffect(() => {
    if (sessionId !== null) rememberSession(sessionId);
  }, [sessionId]);
  useEffect(() => {
    if (sessionId !== null) rememberUnfinished(sessionId, isGoingOn);
  }, [sessionId, isGoingOn]);
}

/** The server's length limit for a file name. */
const LONGEST_NAME = 500;

type Start = { userId: string; idempotencyKey: string; dispatch: Dispatch<ScannerEvent> };

/** Starts a run. Refuses if another tab has signed in a different user, who would own the session. */
async function startRun(state: ScannerState, { userId, idempotencyKey, dispatch }: Start): Promise<void> {
  if (state.sheet.kind !== "ready") return;
  const { fileName, defaultName, worker } = state.sheet;
  const sessionName = state.sessionName.trim() || defaultName;
  try {
    const body = await worker.ask("sessionBody", {
      sessionName,
      csvFilename: fileName.slice(0, LONGEST_NAME),
      ...state.options,
    });
    const current = await getAuthSession();
    if (current !== null && current.user.id !== userId)
      return dispatch({ type: "start_failed", problem: START_MESSAGES.noUser });
    const session = await startScanSession(body, { idempotencyKey, signedOutMessage: START_MESSAGES.signedOut });
    dispatch({ type: "started", session });
  } catch (error) {
    dispatch({ type: "start_failed", problem: errorMessage(error) });
  }
}

/** `crypto.randomUUID` needs https or localhost. This also works over plain http on a store's network. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

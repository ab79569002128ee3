import type { Profile } from "@slabdesk/contract/api/people.ts";
import { OTHER_USER_MESSAGE, type ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import { errorMessage, isGone, mayPass } from "../../api/errors.ts";
import { getScanSession, listScanSessions, startScanSession } from "../../api/sessions.ts";
import { goTo, noteSpot, usePlace } from "../../place/place-store.ts";
import { announceDeletion } from "../../run/session-messages.ts";
import { NO_ROWS, TRY_AGAIN_MS, useOpenSession } from "../../run/open-session.ts";
import { actOn } from "../../run/session-requests.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { randomKey } from "../../ui/stored-items.ts";
import { findSessionToShow, forgetSession, rememberSession, rememberUnfinished } from "./remembered-session.ts";
import {
  canStart,
  INITIAL_STATE,
  isRunning,
  type ReadySheet,
  type ScannerEvent,
  scannerReducer,
  type ScannerState,
} from "./scanner-state.ts";
import { useSheet } from "./sheet/use-sheet.ts";

export const START_MESSAGES = {
  noSheet: "Please upload a CSV file first.",
  noUser: OTHER_USER_MESSAGE,
  signedOut: "Authentication required. Please login to process cards.",
} as const;

export type Scanner = ReturnType<typeof useScanner>;

/** The scanner's workflow: the states of `scanner-state.ts` and the calls between them. */
export function useScanner(profile: Profile | null) {
  const [state, dispatch] = useReducer(scannerReducer, INITIAL_STATE);
  const { sheet, shown } = state;
  const { rows, loading, ...opened } = useOpenSession(shown?.id ?? null, { known: shown });
  /** The shown session, as current as the server's last event. */
  const session = opened.session ?? shown;
  useSessionOfPlace(state, dispatch, profile);
  useShownSession(session, loading.kind === "gone", dispatch);

  const sheetChoice = useSheet(dispatch);
  /** `userId` stays the same if another tab signs in as a different user. */
  const [page] = useState(() => ({ key: randomKey(), userId: profile?.id ?? "" }));
  /** The reading whose sheet starts as soon as it is read, because the user requested a run in the meantime. */
  const startWhenRead = useRef<number | null>(null);
  const start = (): void => {
    startWhenRead.current = null;
    if (!canStart(state.run, session)) return;
    if (sheet.kind === "none") return dispatch({ type: "start_refused", problem: START_MESSAGES.noSheet });
    if (sheet.kind === "question") return dispatch({ type: "question_turned", isOpen: true });
    if (sheet.kind === "reading") {
      startWhenRead.current = sheet.reading;
      return;
    }
    if (!profile) return dispatch({ type: "start_refused", problem: START_MESSAGES.noUser });
    if (sheet.loaded.summary.rowCount === sheet.loaded.summary.toFix) return;
    void startSheet(sheet);
  };
  const startSheet = async (ready: ReadySheet): Promise<void> => {
    dispatch({ type: "start_requested" });
    const event = await startRun(ready, state, { userId: page.userId, idempotencyKey: `${page.key}-${state.draft}` });
    dispatch(event);
    if (event.type === "started") sheetChoice.release(ready.reading);
  };
  useEffect(() => {
    if (sheet.kind === "ready" && sheet.reading === startWhenRead.current) start();
  });
  const stop = (): void => {
    if (session === null) return;
    dispatch({ type: "stop_requested" });
    actOn(session.id, "stop").catch((error: unknown) =>
      dispatch({ type: "stop_failed", problem: errorMessage(error) }),
    );
  };
  const shownRows = state.isCleared ? NO_ROWS : rows;
  return { state, dispatch, session, rows, shownRows, loading, sheetChoice, start, stop };
}

/** Remembers the shown session for a reload, and a run whose end no one has seen. Notices its end and its deletion. */
function useShownSession(session: ScanSession | null, isGone: boolean, dispatch: Dispatch<ScannerEvent>): void {
  const sessionId = session?.id ?? null;
  const isGoingOn = isRunning(session);
  useEffect(() => {
    if (sessionId !== null) rememberSession(sessionId);
  }, [sessionId]);
  useEffect(() => {
    if (sessionId !== null) rememberUnfinished(sessionId, isGoingOn);
    if (!isGoingOn) dispatch({ type: "run_ended" });
  }, [sessionId, isGoingOn, dispatch]);
  useEffect(() => {
    if (!isGone || session === null) return;
    forgetSession(session.id);
    announceDeletion(session);
    dispatch({ type: "session_gone", sessionId: session.id });
  }, [isGone, session, dispatch]);
}

/** The server's length limit for a file name. */
const LONGEST_NAME = 500;

/** Starts a run. The server refuses it if another tab has signed in a different user, who would own the session. */
async function startRun(
  { fileName, defaultName, worker, loaded }: ReadySheet,
  { sessionName, options }: ScannerState,
  request: { userId: string; idempotencyKey: string },
): Promise<ScannerEvent> {
  const { fingerprint: sheetFingerprint } = loaded.summary;
  try {
    if (!(await isWanted(sheetFingerprint))) return { type: "start_failed", problem: null };
    const body = await worker.ask("sessionBody", {
      sessionName: sessionName.trim() || defaultName,
      csvFilename: fileName.slice(0, LONGEST_NAME),
      sheetFingerprint,
      ...options,
    });
    const session = await startScanSession(body, { ...request, signedOutMessage: START_MESSAGES.signedOut });
    return { type: "started", session };
  } catch (error) {
    return { type: "start_failed", problem: errorMessage(error) };
  }
}

/** False if the user has looked up the same rows before and doesn't want to do so again. */
async function isWanted(sheetFingerprint: string): Promise<boolean> {
  const [earlier] = (await listScanSessions({ sheetFingerprint, limit: 1 })).sessions;
  if (!earlier) return true;
  return confirmDialog({
    title: "Look up this sheet again?",
    message: `You looked up the same rows on ${formatMoment(earlier.startedAt)} as “${earlier.sessionName}”. Looking them up again creates a second session.`,
    confirmLabel: "Look up again",
  });
}

/** Keeps the shown session and the place's the same. A place without one starts with the session to show again. */
function useSessionOfPlace(state: ScannerState, dispatch: Dispatch<ScannerEvent>, profile: Profile | null): void {
  const { shown, run, refused, deleted } = state;
  const spot = usePlace().spots.scanner;
  const wanted = spot.session ?? null;
  const shownId = shown?.id ?? null;
  const isSearching = run === "searching";

  const find = async (id: string | null, signal: AbortSignal): Promise<ScannerEvent | null> => {
    if (!isSearching && id === shownId) return null;
    if (id === null) return isSearching ? { type: "session_found", session: await findSessionToShow() } : LEFT;
    const session = await getScanSession(id).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (session !== null && session.owner?.id === profile?.id) return { type: "session_shown", session };
    if (profile?.role !== "admin") return { type: "session_refused", sessionId: id };
    // An administrator reads other people's sessions on the Dashboard.
    if (signal.aborted) return null;
    noteSpot("scanner", { ...NOTHING, session: shownId ?? undefined });
    goTo("dashboard", spot, { isStep: false });
    return null;
  };
  useRetried(wanted, {
    ask: async (id, signal) => {
      const event = await find(id, signal);
      if (event !== null && !signal.aborted) dispatch(event);
    },
    onFailure: (error) => dispatch({ type: "session_search_failed", problem: errorMessage(error) }),
  });

  const isFirst = useRef(true);
  const note = useEffectEvent((id: string | null) => {
    const isStep = !isFirst.current && deleted === null;
    isFirst.current = false;
    if (wanted === id || (id === null && wanted === refused)) return;
    noteSpot("scanner", { ...NOTHING, session: id ?? undefined }, { isStep });
  });
  useEffect(() => {
    if (!isSearching) note(shownId);
  }, [shownId, isSearching]);
}

const NOTHING = { session: undefined, row: undefined, card: undefined };
const LEFT: ScannerEvent = { type: "session_left" };

type Retried = {
  ask: (key: string | null, signal: AbortSignal) => Promise<void>;
  onFailure: (error: unknown) => void;
};

/** Asks when `key` changes, and again while the server can't be reached. The signal aborts at the next change. */
export function useRetried(key: string | null, { ask, onFailure }: Retried): void {
  const askNow = useEffectEvent(ask);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = (): void => {
      askNow(key, leaving.signal).catch((error: unknown) => {
        if (leaving.signal.aborted) return;
        if (mayPass(error)) timer = setTimeout(run, TRY_AGAIN_MS);
        else fail(error);
      });
    };
    run();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [key]);
}

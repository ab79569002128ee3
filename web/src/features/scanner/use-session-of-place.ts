import type { Profile } from "@slabdesk/contract/api/people.ts";
import { type Dispatch, useEffect, useEffectEvent, useRef } from "react";
import { errorMessage } from "../../api/error-messages.ts";
import { isGone, mayPass } from "../../api/errors.ts";
import { getScanSession } from "../../api/sessions.ts";
import { goTo, noteSpot, usePlace } from "../../place/place-store.ts";
import { TRY_AGAIN_MS } from "../../run/open-session.ts";
import { findSessionToShow } from "./remembered-session.ts";
import type { ScannerEvent, ScannerState } from "./scanner-state.ts";

/** Keeps the shown session and the place's the same. A place without one starts with the session to show again. */
export function useSessionOfPlace(
  { shown, run, refused, deleted }: ScannerState,
  dispatch: Dispatch<ScannerEvent>,
  profile: Profile | null,
): void {
  const spot = usePlace().spots.scanner;
  const wanted = spot.session ?? null;
  const shownId = shown?.id ?? null;
  const isLooking = run === "looking";

  const find = async (signal: AbortSignal): Promise<ScannerEvent | null> => {
    if (!isLooking && wanted === shownId) return null;
    if (wanted === null) return isLooking ? { type: "session_found", session: await findSessionToShow() } : LEFT;
    const session = await getScanSession(wanted).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (session !== null && session.owner?.id === profile?.id) return { type: "session_shown", session };
    if (profile?.role !== "admin") return { type: "session_refused", sessionId: wanted };
    // An administrator reads other people's sessions on the Dashboard.
    if (signal.aborted) return null;
    noteSpot("scanner", { ...NOTHING, session: shownId ?? undefined });
    goTo("dashboard", spot, { isStep: false });
    return null;
  };
  useRetried(wanted, {
    ask: async (signal) => {
      const event = await find(signal);
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
    if (!isLooking) note(shownId);
  }, [shownId, isLooking]);
}

const NOTHING = { session: undefined, row: undefined, card: undefined };
const LEFT: ScannerEvent = { type: "session_left" };

type Retried = { ask: (signal: AbortSignal) => Promise<void>; onFailure: (error: unknown) => void };

/** Asks when `key` changes, and again while the server can't be reached. The signal aborts at the next change. */
export function useRetried(key: string | null, { ask, onFailure }: Retried): void {
  const askNow = useEffectEvent(ask);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = (): void => {
      askNow(leaving.signal).catch((error: unknown) => {
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

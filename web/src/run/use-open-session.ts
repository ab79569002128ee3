import { useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from "react";
import { type JoinOptions, type OpenSession, openSessionOf, type SessionSnapshot } from "./open-session.ts";
import { RowsStore } from "./rows-store.ts";

export type ShownSession = SessionSnapshot & { rows: RowsStore };

export const NO_ROWS = new RowsStore();
const NO_SESSION: SessionSnapshot = { session: null, loading: { kind: "ready" } };
const neverChanges = (): (() => void) => () => {};

/** Opens a session and keeps it current; null opens none. Places that show the same session share it. */
export function useOpenSession(
  sessionId: string | null,
  { known = null, isInView = true, firstRowId = null }: Partial<JoinOptions> = {},
): ShownSession {
  const open = useMemo(() => (sessionId === null ? null : openSessionOf(sessionId)), [sessionId]);
  const snapshot = useSyncExternalStore(open?.subscribe ?? neverChanges, open?.getSnapshot ?? (() => NO_SESSION));
  const place = useRef<ReturnType<OpenSession["join"]> | null>(null);
  const join = useEffectEvent((session: OpenSession) => session.join({ known, isInView, firstRowId }));
  useEffect(() => {
    if (open === null) return;
    const joined = join(open);
    place.current = joined;
    return () => {
      place.current = null;
      joined.leave();
    };
  }, [open]);
  useEffect(() => place.current?.setInView(isInView), [isInView]);
  return { ...snapshot, rows: open?.rows ?? NO_ROWS };
}

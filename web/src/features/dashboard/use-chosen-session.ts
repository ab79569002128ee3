import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { queryKeys } from "../../api/query-keys.ts";
import { type ShownSession, useOpenSession } from "../../run/use-open-session.ts";

/**
 * Opens the chosen session and follows it while the dashboard is visible. `firstRowId` is the row to open, if any. Calls
 * `onGone` if the session is deleted while it is open.
 */
export function useChosenSession(
  sessionId: string | null,
  firstRowId: string | null,
  isShown: boolean,
  onGone: (session: ScanSession) => void,
): ShownSession {
  const opened = useOpenSession(sessionId, { firstRowId, isInView: isShown });
  const { session, loading } = opened;
  const queryClient = useQueryClient();
  const refreshList = useEffectEvent(() => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
    if (session !== null) onGone(session);
  });
  const isGone = loading.kind === "gone";
  useEffect(() => {
    if (isGone) refreshList();
  }, [isGone]);
  useTotalsAfter(session);
  return opened;
}

/** Refreshes the header's totals and the list when a run starts or ends. */
function useTotalsAfter(session: ScanSession | null): void {
  const queryClient = useQueryClient();
  const seen = useRef(session);
  useEffect(() => {
    const before = seen.current;
    seen.current = session;
    if (!session || before?.id !== session.id || before.status === session.status) return;
    void queryClient.invalidateQueries({ queryKey: queryKeys.profile() });
    void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  }, [session, queryClient]);
}

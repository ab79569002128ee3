import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { getScanSession } from "../../api/sessions.ts";
import { errorMessage } from "../../api/error-messages.ts";
import { isGone } from "../../api/errors.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { newerSession } from "../../session/newer-session.ts";
import { type RowsLoading, useFollowedSession } from "../../session/use-followed-session.ts";
import { RowsStore } from "../../table/rows-store.ts";

/** The selected session in this tab. `gone`: it was deleted or this user may not see it. */
export type OpenSession =
  | { kind: "none" }
  | { kind: "opening" }
  | { kind: "gone" }
  | { kind: "failed"; problem: string; retry: () => void }
  | { kind: "open"; session: ScanSession };

export type Opened = {
  state: OpenSession;
  rows: RowsStore;
  loading: RowsLoading;
  isReached: boolean;
  /** Accepts a newer state of the session. */
  onSession: (session: ScanSession) => void;
};

/**
 * Opens a session and follows it while the dashboard is visible. `firstRowId` is the row to open, if any. Calls
 * `onGone` if an open session no longer exists.
 */
export function useOpenSession(
  sessionId: string | null,
  firstRowId: string | null,
  isShown: boolean,
  onGone: (session: ScanSession) => void,
): Opened {
  const queryClient = useQueryClient();
  const [rows] = useState(() => new RowsStore());
  const query = useQuery({
    queryKey: queryKeys.session(sessionId ?? ""),
    queryFn: () => getScanSession(sessionId ?? ""),
    enabled: sessionId !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const onSession = useCallback(
    (told: ScanSession) =>
      queryClient.setQueryData<ScanSession>(queryKeys.session(told.id), (shown) => shown && newerSession(shown, told)),
    [queryClient],
  );
  const session = (sessionId !== null && query.data) || null;
  const { loading, isReached } = useFollowedSession({
    session,
    rows,
    isInView: isShown,
    firstRowId,
    onSession,
    onGone: (gone) => {
      // The reset refetches the session, so the view shows that it is gone.
      void queryClient.resetQueries({ queryKey: queryKeys.session(gone.id), exact: true });
      onGone(gone);
    },
  });
  useTotalsAfter(session);
  useListAfter(isGone(query.error));
  return { state: stateOf(), rows, loading, isReached, onSession };

  function stateOf(): OpenSession {
    if (sessionId === null) return { kind: "none" };
    if (session !== null) return { kind: "open", session };
    if (!query.isError) return { kind: "opening" };
    const { error } = query;
    if (isGone(error)) return { kind: "gone" };
    return { kind: "failed", problem: errorMessage(error), retry: () => void query.refetch() };
  }
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

/** Refreshes the list if the session is gone. */
function useListAfter(isChosenGone: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (isChosenGone) void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  }, [isChosenGone, queryClient]);
}

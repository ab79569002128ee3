import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { listScanSessions } from "../../api/sessions.ts";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { newerSession } from "../../run/newer-session.ts";
import type { DashboardView } from "./dashboard-storage.ts";
import { useRunningSessions } from "./use-running-sessions.ts";

export type SessionListing = {
  sessions: readonly ScanSession[];
  state: "loading" | "failed" | "ready";
  /** Loads older sessions on request. */
  loadMore: (() => void) | null;
  /** For an `ErrorPanel`. */
  problem: { message: string; reference: string | null; isRetrying: boolean; onRetry: () => void } | null;
};

/** The user's own sessions, sorted as selected. Replaces the entry of `open` with its live state. */
export function useSessionList(
  { sort, order }: Pick<DashboardView, "sort" | "order">,
  filter: string,
  open: ScanSession | null,
  isShown: boolean,
): SessionListing {
  const asked = { ...(filter.trim() === "" ? {} : { filter: filter.trim() }), sort, order };
  const list = useInfiniteQuery({
    queryKey: queryKeys.sessionList(asked),
    queryFn: ({ pageParam }) => listScanSessions(pageParam === null ? asked : { ...asked, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    enabled: isShown,
  });
  const listed = useMemo(() => {
    const sessions = new Map<string, ScanSession>();
    // If a session was added between requests, a page starts with the last entry of the previous page.
    for (const page of list.data?.pages ?? []) for (const session of page.sessions) sessions.set(session.id, session);
    return [...sessions.values()];
  }, [list.data]);
  const running = useRunningSessions(listed, open?.id ?? null, isShown);
  const sessions = useMemo(() => {
    const told = new Map([...running, ...(open === null ? [] : [open])].map((session) => [session.id, session]));
    return listed.map((session) => newerSession(session, told.get(session.id) ?? session));
  }, [listed, running, open]);
  return {
    sessions,
    state: list.isError && listed.length === 0 ? "failed" : list.isPending ? "loading" : "ready",
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : null,
    problem: list.isError
      ? {
          message: errorMessage(list.error),
          reference: errorReference(list.error),
          isRetrying: list.isFetching,
          onRetry: () => void list.refetch(),
        }
      : null,
  };
}

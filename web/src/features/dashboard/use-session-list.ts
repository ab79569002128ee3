import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { getScanSession, listScanSessions } from "../../api/sessions.ts";
import { loadProblem } from "../../api/error-messages.ts";
import { isGone } from "../../api/errors.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { newerSession } from "../../run/newer-session.ts";
import type { DashboardState } from "./dashboard-storage.ts";

/** How often running sessions refresh while they are listed and the list is visible. */
const RUNNING_REFRESH_MS = 5_000;

const NONE: readonly ScanSession[] = [];

export type SessionListing = ReturnType<typeof useSessionList>;

/** The user's own sessions, sorted as selected. Replaces the entry of `open` with its live state. */
export function useSessionList(
  { sort, order }: Pick<DashboardState, "sort" | "order">,
  filter: string,
  open: ScanSession | null,
  isShown: boolean,
) {
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
    const current = new Map([...running, ...(open === null ? [] : [open])].map((session) => [session.id, session]));
    return listed.map((session) => newerSession(session, current.get(session.id) ?? session));
  }, [listed, running, open]);
  return {
    sessions,
    isLoading: list.isPending,
    /** Loads older sessions on request. */
    loadMore: list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : null,
    /** For an `ErrorPanel`. */
    problem: list.isError ? loadProblem(list) : null,
  };
}

/**
 * Current states of a list's running sessions, so that their progress doesn't refetch the pages of a long list. Polls,
 * because a session's store would load all its rows and hold a connection. Skips `openId`, which is already followed
 * live. Refetches the list when a run has ended or its session is gone.
 */
function useRunningSessions(
  listed: readonly ScanSession[],
  openId: string | null,
  isShown: boolean,
): readonly ScanSession[] {
  const queryClient = useQueryClient();
  const ids = listed.filter(({ id, status }) => status === "processing" && id !== openId).map(({ id }) => id);
  const { data: sessions, error } = useQuery({
    queryKey: queryKeys.runningSessions(ids),
    queryFn: () => Promise.all(ids.map(getScanSession)),
    enabled: isShown && ids.length > 0,
    staleTime: RUNNING_REFRESH_MS,
    refetchInterval: RUNNING_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    if (isGone(error) || sessions?.some(({ status }) => status !== "processing"))
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  }, [sessions, error, queryClient]);
  return sessions ?? NONE;
}

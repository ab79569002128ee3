import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS } from "@slabdesk/contract/api/stats.ts";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { listAdminSessions } from "../../../api/sessions.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import type { AdminFilter } from "../admin-filter.ts";
import { sessionsQuery } from "./sessions-query.ts";

export type AdminSessions = {
  sessions: readonly ScanSession[];
  state: "loading" | "failed" | "ready";
  error: unknown;
  /** True while the previous filter's sessions are shown. */
  isOutdated: boolean;
  isFetching: boolean;
  retry: () => void;
  /** Null if all matching sessions are loaded. */
  showMore: (() => void) | null;
  isLoadingMore: boolean;
};

/** All users' matching sessions, newest first, loaded page by page. */
export function useAdminSessions(filter: AdminFilter): AdminSessions {
  const query = sessionsQuery(filter);
  const list = useInfiniteQuery({
    queryKey: queryKeys.adminSessionList(query),
    queryFn: ({ pageParam, signal }) => listAdminSessions({ ...query, cursor: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : Number(nextCursor)),
    placeholderData: keepPreviousData,
    staleTime: ADMIN_CACHE_MS,
    refetchInterval: ADMIN_REFRESH_MS,
  });
  const sessions = useMemo(() => {
    const listed = new Map<string, ScanSession>();
    // If a session was added between requests, a page starts with the last entry of the previous page.
    for (const page of list.data?.pages ?? []) for (const session of page.sessions) listed.set(session.id, session);
    return [...listed.values()];
  }, [list.data]);
  return {
    sessions,
    state: list.data !== undefined ? "ready" : list.isError ? "failed" : "loading",
    error: list.error,
    isOutdated: list.isPlaceholderData,
    isFetching: list.isFetching,
    retry: () => void list.refetch(),
    showMore: list.hasNextPage ? () => void list.fetchNextPage() : null,
    isLoadingMore: list.isFetchingNextPage,
  };
}

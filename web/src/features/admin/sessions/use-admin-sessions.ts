import type { AdminSession } from "@slabdesk/contract/api/stats.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { listAdminSessions } from "../../../api/sessions.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { type AdminFilter, sessionsQuery } from "../admin-filter.ts";
import { LIST_QUERY, nextCursorOf } from "../lists/list-query.ts";
import type { LoadedList } from "../lists/ListPanel.tsx";

/** All users' matching sessions, newest first, loaded page by page. */
export function useAdminSessions(filter: AdminFilter): LoadedList<AdminSession> {
  const query = sessionsQuery(filter);
  const list = useInfiniteQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.adminSessionList(query),
    queryFn: ({ pageParam, signal }) => listAdminSessions({ ...query, cursor: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: nextCursorOf,
  });
  // If a session was added between requests, a page starts with the last entry of the previous page.
  const rows = useMemo(() => {
    const sessions = list.data?.pages.flatMap((page) => page.sessions) ?? [];
    return [...new Map(sessions.map((session) => [session.id, session])).values()];
  }, [list.data]);
  return {
    rows,
    query: list,
    showMore: list.hasNextPage ? () => void list.fetchNextPage() : null,
    isLoadingMore: list.isFetchingNextPage,
  };
}

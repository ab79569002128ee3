import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import { useInfiniteQuery, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type ActivityList, listActivity } from "../../../api/activity.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { LIST_QUERY, nextCursorOf } from "../lists/ListPanel.tsx";
import { newsMessage } from "./activity-messages.ts";

/**
 * The activity log, newest first. The first page is polled, but the list doesn't change until the user requests the new
 * entries. Older pages never change and load on request.
 */
export function useActivityLog(filter: ActivityFilter) {
  const newest = useQuery({
    ...LIST_QUERY,
    queryKey: queryKeys.activityLog(filter),
    queryFn: ({ signal }) => listActivity(filter, signal),
  });
  const { first, latest, hold } = useHeldPage(JSON.stringify(filter), newest);
  const older = useInfiniteQuery({
    queryKey: ["older-activity", filter, first?.nextCursor ?? null],
    queryFn: ({ pageParam, signal }) => listActivity({ ...filter, cursor: pageParam }, signal),
    initialPageParam: Number(first?.nextCursor ?? 0),
    getNextPageParam: nextCursorOf,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const rows = useMemo(
    () => [first, ...(older.data?.pages ?? [])].flatMap((page) => page?.activity ?? []),
    [first, older.data],
  );
  const hasMore = older.data === undefined ? (first?.nextCursor ?? null) !== null : older.hasNextPage;
  return {
    rows,
    query: newest,
    /** How many new entries are held back, so that the visible list doesn't move; null if none. */
    news: first === undefined || latest === null ? null : newsMessage(first, latest),
    showNews: hold,
    showMore: hasMore && !newest.isPlaceholderData ? () => void older.fetchNextPage() : null,
    isLoadingMore: older.isFetching,
    moreError: older.error,
  };
}

/** Keeps the first page as first shown. Refetches a stale cached page before keeping it. */
function useHeldPage(key: string, { data, isFetching, isPlaceholderData }: UseQueryResult<ActivityList>) {
  const [held, setHeld] = useState<{ key: string; list: ActivityList } | null>(null);
  const isHeld = held?.key === key;
  if (!isHeld && data !== undefined && !isFetching && !isPlaceholderData) setHeld({ key, list: data });
  return {
    first: isHeld ? held.list : data,
    latest: isHeld && data !== undefined && !isPlaceholderData ? data : null,
    hold: () => data && setHeld({ key, list: data }),
  };
}

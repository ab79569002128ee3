import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS } from "@slabdesk/contract/api/stats.ts";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type ActivityEntry, type ActivityList, listActivity } from "../../../api/activity.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { newsMessage } from "./news-messages.ts";

export type ActivityLog = {
  entries: readonly ActivityEntry[];
  state: "loading" | "failed" | "ready";
  error: unknown;
  /** True while the previous filter's entries are shown. */
  isOutdated: boolean;
  isFetching: boolean;
  retry: () => void;
  /** New entries, held back until requested so that the visible list doesn't move. */
  news: { message: string; show: () => void } | null;
  showMore: (() => void) | null;
  isLoadingMore: boolean;
  /** Why loading older entries failed. */
  moreError: unknown;
};

/**
 * The activity log, newest first. The first page is polled, but the list doesn't change until the user requests the new
 * entries. Older pages never change and load on request.
 */
export function useActivityLog(filter: ActivityFilter): ActivityLog {
  const newest = useQuery({
    queryKey: queryKeys.activityLog(filter),
    queryFn: ({ signal }) => listActivity(filter, signal),
    placeholderData: keepPreviousData,
    staleTime: ADMIN_CACHE_MS,
    refetchInterval: ADMIN_REFRESH_MS,
  });
  const { first, latest, hold } = useHeldPage(JSON.stringify(filter), newest);
  const older = useInfiniteQuery({
    queryKey: queryKeys.olderActivity(filter, first?.nextCursor ?? null),
    queryFn: ({ pageParam, signal }) => listActivity({ ...filter, cursor: pageParam }, signal),
    initialPageParam: Number(first?.nextCursor ?? 0),
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : Number(nextCursor)),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entries = useMemo(
    () => [first, ...(older.data?.pages ?? [])].flatMap((page) => page?.activity ?? []),
    [first, older.data],
  );
  const hasMore = older.data === undefined ? (first?.nextCursor ?? null) !== null : older.hasNextPage;
  const news = first === undefined || latest === null ? null : newsMessage(first, latest);
  return {
    entries,
    state: first !== undefined ? "ready" : newest.isError ? "failed" : "loading",
    error: newest.error,
    isOutdated: newest.isPlaceholderData,
    isFetching: newest.isFetching,
    retry: () => void newest.refetch(),
    news: news === null ? null : { message: news, show: hold },
    showMore: hasMore && !newest.isPlaceholderData ? () => void older.fetchNextPage() : null,
    isLoadingMore: older.isFetching,
    moreError: older.error,
  };
}

type Newest = { data: ActivityList | undefined; isFetching: boolean; isPlaceholderData: boolean };

/** Keeps the first page as first shown. Refetches a stale cached page before keeping it. */
function useHeldPage(key: string, { data, isFetching, isPlaceholderData }: Newest) {
  const [held, setHeld] = useState<{ key: string; list: ActivityList } | null>(null);
  const isHeld = held?.key === key;
  if (!isHeld && data !== undefined && !isFetching && !isPlaceholderData) setHeld({ key, list: data });
  return {
    first: isHeld ? held.list : data,
    latest: isHeld && data !== undefined && !isPlaceholderData ? data : null,
    hold: () => data && setHeld({ key, list: data }),
  };
}

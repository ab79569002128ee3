import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS } from "@slabdesk/contract/api/stats.ts";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type ActivityEntry, type ActivityList, listActivity } from "../../../api/activity-client.ts";
import { queryKeys } from "../../../api/query-keys.ts";
import { newsMessage } from "./news-messages.ts";

export type ActivityLog = {
  entries: readonly ActivityEntry[];
  state: "loading" | "failed" | "ready";
  error: unknown;
  /** What is shown belongs to the filter before. */
  isOutdated: boolean;
  isFetching: boolean;
  retry: () => void;
  /** Entries that came since and wait until they are asked for: what is read stays where it is. */
  news: { message: string; show: () => void } | null;
  showMore: (() => void) | null;
  isLoadingMore: boolean;
  /** Why the older ones did not come. */
  moreError: unknown;
};

/**
 * The log, newest first. Its newest page is asked for again and again, but stays as it was when it was first shown
 * until the reader wants the new entries; older pages never change, and come when they are asked for.
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

/** The first page as it was shown first; one that is old when it is opened is asked for anew before it is held. */
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

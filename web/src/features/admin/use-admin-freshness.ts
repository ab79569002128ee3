import { ADMIN_CACHE_MS } from "@slabdesk/contract/api/stats.ts";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { queryKeys } from "../../api/query-keys.ts";

export type AdminFreshness = {
  /** Visible data is older than its cache time, or its refresh failed. */
  isStale: boolean;
  /** Why refreshing visible data failed; null if it didn't. */
  failure: Error | null;
  /** True for a refresh the user requested; automatic refreshes show no indicator. */
  isRefreshing: boolean;
  refresh: () => void;
};

/** The age of the visible data, whichever component fetched it. */
export function useAdminFreshness(): AdminFreshness {
  const queryClient = useQueryClient();
  const [isRefreshing, setIsRefreshing] = useState(false);
  const subscribe = useCallback((notify: () => void) => queryClient.getQueryCache().subscribe(notify), [queryClient]);
  const oldest = useSyncExternalStore(subscribe, () => oldestInView(queryClient));
  const failure = useSyncExternalStore(
    subscribe,
    () =>
      inView(queryClient).find(({ state }) => state.data !== undefined && state.error !== null)?.state.error ?? null,
  );
  const isOld = useOlderThan(oldest, ADMIN_CACHE_MS);
  const refresh = useCallback(() => {
    setIsRefreshing(true);
    void queryClient
      .refetchQueries({ queryKey: queryKeys.admin(), type: "active" })
      .finally(() => setIsRefreshing(false));
  }, [queryClient]);
  return { isStale: failure !== null || isOld, failure, isRefreshing, refresh };
}

function inView(queryClient: QueryClient): Query[] {
  return queryClient.getQueryCache().findAll({ queryKey: queryKeys.admin(), type: "active" });
}

/** When the oldest visible data was fetched; null if there is none. */
function oldestInView(queryClient: QueryClient): number | null {
  const times = inView(queryClient)
    .map((query) => query.state.dataUpdatedAt)
    .filter((time) => time > 0);
  return times.length === 0 ? null : Math.min(...times);
}

function useOlderThan(time: number | null, ageMs: number): boolean {
  const [oldTime, setOldTime] = useState<number | null>(null);
  useEffect(() => {
    if (time === null) return undefined;
    const timer = setTimeout(() => setOldTime(time), Math.max(0, time + ageMs - Date.now()));
    return () => clearTimeout(timer);
  }, [time, ageMs]);
  return time !== null && oldTime === time;
}

import { ADMIN_CACHE_MS } from "@slabdesk/contract/api/stats.ts";
import { type QueryClient, type QueryState, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { queryKeys } from "../../api/query-keys.ts";
import { useAction } from "../../run/use-action.ts";

/** The age of the visible data, whichever component fetched it. `isRefreshing`: because the user requested it. */
export function useAdminFreshness() {
  const queryClient = useQueryClient();
  const subscribe = useCallback((notify: () => void) => queryClient.getQueryCache().subscribe(notify), [queryClient]);
  const oldest = useSyncExternalStore(subscribe, () =>
    Math.min(...loaded(queryClient).map((query) => query.dataUpdatedAt)),
  );
  const failure = useSyncExternalStore(
    subscribe,
    () => loaded(queryClient).find(({ error }) => error !== null)?.error ?? null,
  );
  const isOld = useOlderThan(oldest, ADMIN_CACHE_MS);
  const { run, isBusy } = useAction<void>({
    send: () => queryClient.refetchQueries({ queryKey: queryKeys.admin(), type: "active" }),
  });
  return { isStale: failure !== null || isOld, failure, isRefreshing: isBusy, refresh: () => run() };
}

function loaded(queryClient: QueryClient): QueryState[] {
  const inView = queryClient.getQueryCache().findAll({ queryKey: queryKeys.admin(), type: "active" });
  return inView.map(({ state }) => state).filter(({ data }) => data !== undefined);
}

function useOlderThan(time: number, ageMs: number): boolean {
  const [oldTime, setOldTime] = useState<number | null>(null);
  useEffect(() => {
    if (time === Infinity) return undefined;
    const timer = setTimeout(() => setOldTime(time), Math.max(0, time + ageMs - Date.now()));
    return () => clearTimeout(timer);
  }, [time, ageMs]);
  return oldTime === time;
}

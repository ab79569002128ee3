import { ADMIN_CACHE_MS } from "@slabdesk/contract/api/stats.ts";
import { type QueryState, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { queryKeys } from "../../api/query-keys.ts";
import { useAction } from "../../run/use-action.ts";

/** The age of the visible data, whichever component fetched it. `isRefreshing`: because the user requested it. */
export function useAdminFreshness() {
  const queryClient = useQueryClient();
  const subscribe = useCallback((notify: () => void) => queryClient.getQueryCache().subscribe(notify), [queryClient]);
  const loaded = (): QueryState[] => {
    const inView = queryClient.getQueryCache().findAll({ queryKey: queryKeys.admin(), type: "active" });
    return inView.map(({ state }) => state).filter(({ data }) => data !== undefined);
  };
  const oldest = useSyncExternalStore(subscribe, () => Math.min(...loaded().map((query) => query.dataUpdatedAt)));
  const failure = useSyncExternalStore(subscribe, () => loaded().find(({ error }) => error !== null)?.error ?? null);
  const [oldTime, setOldTime] = useState<number | null>(null);
  useEffect(() => {
    if (oldest === Infinity) return undefined;
    const timer = setTimeout(() => setOldTime(oldest), Math.max(0, oldest + ADMIN_CACHE_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [oldest]);
  const { run, isBusy } = useAction<void>({
    send: () => queryClient.refetchQueries({ queryKey: queryKeys.admin(), type: "active" }),
  });
  return { isStale: failure !== null || oldTime === oldest, failure, isRefreshing: isBusy, refresh: () => run() };
}

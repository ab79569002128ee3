import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import { useDidUpdate } from "@mantine/hooks";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";
import { getQuotaStatus } from "../../../api/sources.ts";

/** `data` stays if a later request fails. */
export type QuotaReading = Pick<UseQueryResult<QuotaStatus>, "data" | "error" | "isFetching" | "refetch">;

const REFRESH_MS = 30_000;

/** PSA's quota, refreshed while the page is visible and after a run ends. Null for users who may not see it. */
export function useQuota(isAdmin: boolean, isRunning: boolean): QuotaReading | null {
  const query = useQuery({
    queryKey: queryKeys.psaQuota(),
    queryFn: ({ signal }) => getQuotaStatus(signal),
    enabled: isAdmin,
    refetchInterval: REFRESH_MS,
  });
  useDidUpdate(() => {
    if (isAdmin && !isRunning) void query.refetch();
  }, [isRunning]);
  return isAdmin ? query : null;
}

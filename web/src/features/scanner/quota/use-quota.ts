import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import { useDidUpdate } from "@mantine/hooks";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";
import { getQuotaStatus } from "../../../api/sources.ts";

/** `data` stays if a later request fails. */
export type QuotaReading = Pick<UseQueryResult<QuotaStatus>, "data" | "error" | "isFetching" | "refetch">;

const REFRESH_MS = 30_000;
/** Until PSA names its limit, any user's run can reveal it. */
const UNCONFIRMED_REFRESH_MS = 10_000;

/**
 * PSA's quota, refreshed while the page is visible. A new value of `after`, which identifies the state of the run,
 * refetches it at once. Null for users who may not see it.
 */
export function useQuota(isAdmin: boolean, after: string): QuotaReading | null {
  const query = useQuery({
    queryKey: queryKeys.psaQuota(),
    queryFn: ({ signal }) => getQuotaStatus(signal),
    enabled: isAdmin,
    refetchInterval: ({ state }) => (state.data?.isConfirmed === false ? UNCONFIRMED_REFRESH_MS : REFRESH_MS),
  });
  useDidUpdate(() => {
    if (isAdmin) void query.refetch();
  }, [after]);
  return isAdmin ? query : null;
}

import type { QuotaStatus } from "@slabdesk/contract/api/quota.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { errorMessage } from "../../../api/error-messages.ts";
import { getQuotaStatus } from "../../../api/sources.ts";
import { queryKeys } from "../../../api/query-keys.ts";

export type QuotaReading =
  | { kind: "loading" }
  | { kind: "known"; status: QuotaStatus }
  | { kind: "failed"; problem: string; isAsking: boolean; retry: () => void };

const REFRESH_MS = 30_000;

/** PSA's quota, refreshed while the page is visible and after a run ends. Null for users who may not see it. */
export function useQuota(isAdmin: boolean, isRunning: boolean): QuotaReading | null {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: queryKeys.psaQuota(),
    queryFn: ({ signal }) => getQuotaStatus(signal),
    enabled: isAdmin,
    refetchInterval: REFRESH_MS,
  });

  const wasRunning = useRef(isRunning);
  useEffect(() => {
    const hasEnded = wasRunning.current && !isRunning;
    wasRunning.current = isRunning;
    if (hasEnded) void queryClient.invalidateQueries({ queryKey: queryKeys.psaQuota() });
  }, [isRunning, queryClient]);

  if (!isAdmin) return null;
  if (query.data) return { kind: "known", status: query.data };
  if (query.isError)
    return {
      kind: "failed",
      problem: errorMessage(query.error),
      isAsking: query.isFetching,
      retry: () => void query.refetch(),
    };
  return { kind: "loading" };
}

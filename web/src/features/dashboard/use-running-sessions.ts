import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { type UseQueryResult, useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { getScanSession } from "../../api/sessions.ts";
import { isGone } from "../../api/errors.ts";
import { queryKeys } from "../../api/query-keys.ts";

/** How often running sessions refresh while they are listed and the list is visible. */
const RUNNING_REFRESH_MS = 5_000;

/**
 * Current states of a list's running sessions. Each is fetched on its own, so one session's progress doesn't refetch
 * the pages of a long list. Skips `openId`, which is already followed live. If a session is gone, refetches the list.
 */
export function useRunningSessions(
  listed: readonly ScanSession[],
  openId: string | null,
  isShown: boolean,
): readonly ScanSession[] {
  const queryClient = useQueryClient();
  const { sessions, goneCount } = useQueries({
    queries: listed
      .filter(({ id, status }) => status === "processing" && id !== openId)
      .map((session) => ({
        queryKey: queryKeys.listedSession(session.id),
        queryFn: () => getScanSession(session.id),
        initialData: session,
        staleTime: RUNNING_REFRESH_MS,
        enabled: isShown,
        refetchInterval: ({ state }: { state: { data: ScanSession | undefined; error: Error | null } }) =>
          state.data?.status === "processing" && !isGone(state.error) ? RUNNING_REFRESH_MS : false,
      })),
    combine: summary,
  });
  useEffect(() => {
    if (goneCount > 0) void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  }, [goneCount, queryClient]);
  return sessions;
}

function summary(asked: readonly UseQueryResult<ScanSession>[]): { sessions: ScanSession[]; goneCount: number } {
  return {
    sessions: asked.flatMap(({ data }) => data ?? []),
    goneCount: asked.filter(({ error }) => isGone(error)).length,
  };
}

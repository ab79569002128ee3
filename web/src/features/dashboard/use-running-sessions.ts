import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { getScanSession } from "../../api/sessions.ts";
import { isGone } from "../../api/errors.ts";
import { queryKeys } from "../../api/query-keys.ts";

/** How often running sessions refresh while they are listed and the list is visible. */
const RUNNING_REFRESH_MS = 5_000;

const NONE: readonly ScanSession[] = [];

/**
 * Current states of a list's running sessions, so that their progress doesn't refetch the pages of a long list. Skips
 * `openId`, which is already followed live. Refetches the list when a run has ended or its session is gone.
 */
export function useRunningSessions(
  listed: readonly ScanSession[],
  openId: string | null,
  isShown: boolean,
): readonly ScanSession[] {
  const queryClient = useQueryClient();
  const ids = listed.filter(({ id, status }) => status === "processing" && id !== openId).map(({ id }) => id);
  const { data: sessions, error } = useQuery({
    queryKey: queryKeys.runningSessions(ids),
    queryFn: () => Promise.all(ids.map(getScanSession)),
    enabled: isShown && ids.length > 0,
    staleTime: RUNNING_REFRESH_MS,
    refetchInterval: RUNNING_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    if (isGone(error) || sessions?.some(({ status }) => status !== "processing"))
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessionLists() });
  }, [sessions, error, queryClient]);
  return sessions ?? NONE;
}

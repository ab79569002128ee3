import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQuery } from "@tanstack/react-query";
import { getSessionLookupHistory } from "../api/lookup-history-client.ts";
import { queryKeys } from "../api/query-keys.ts";

/** By row id; a row that nothing is remembered of is not in it. */
export type SessionLookupHistory = ReadonlyMap<string, CardHistory>;

const NOTHING: SessionLookupHistory = new Map();

/**
 * Who looked a session's cards up before, asked once its rows are there, when more rows have come and when the run has
 * ended. An addition to the table: while it is on its way, or cannot be had, the table stands without it.
 */
export function useSessionLookupHistory(
  session: Pick<ScanSession, "id" | "totalCards" | "status"> | null,
  areRowsLoaded: boolean,
): SessionLookupHistory {
  const id = session?.id ?? "";
  const query = useQuery({
    queryKey: queryKeys.sessionLookupHistory(id, session?.totalCards ?? 0, session?.status === "processing"),
    queryFn: ({ signal }) => getSessionLookupHistory(id, signal),
    enabled: session !== null && areRowsLoaded,
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === id ? previous : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return query.data ?? NOTHING;
}

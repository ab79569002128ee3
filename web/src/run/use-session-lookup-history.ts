import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQuery } from "@tanstack/react-query";
import { getSessionLookupHistory } from "../api/sessions.ts";

/** By row id; rows without history are absent. */
export type SessionLookupHistory = ReadonlyMap<string, CardHistory>;

const NOTHING: SessionLookupHistory = new Map();

/** Loaded with the rows, when rows are added, and when the run ends. The table works without it. */
export function useSessionLookupHistory(session: ScanSession | null, areRowsLoaded: boolean): SessionLookupHistory {
  const id = session?.id ?? "";
  const query = useQuery({
    queryKey: ["session-lookup-history", id, session?.totalCards ?? 0, session?.status === "processing"],
    queryFn: ({ signal }) => getSessionLookupHistory(id, signal),
    enabled: session !== null && areRowsLoaded,
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === id ? previous : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return query.data ?? NOTHING;
}

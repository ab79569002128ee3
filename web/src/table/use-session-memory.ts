import type { CardMemory } from "@slabdesk/contract/api/memory.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useQuery } from "@tanstack/react-query";
import { getSessionMemory } from "../api/memory-client.ts";
import { queryKeys } from "../api/query-keys.ts";

/** By row id; a row that nothing is remembered of is not in it. */
export type SessionMemory = ReadonlyMap<string, CardMemory>;

const NOTHING: SessionMemory = new Map();

/**
 * Who looked a session's cards up before, asked once its rows are there, when more rows have come and when the run has
 * ended. An addition to the table: while it is on its way, or cannot be had, the table stands without it.
 */
export function useSessionMemory(
  session: Pick<ScanSession, "id" | "totalCards" | "status"> | null,
  areRowsLoaded: boolean,
): SessionMemory {
  const id = session?.id ?? "";
  const query = useQuery({
    queryKey: queryKeys.sessionMemory(id, session?.totalCards ?? 0, session?.status === "processing"),
    queryFn: ({ signal }) => getSessionMemory(id, signal),
    enabled: session !== null && areRowsLoaded,
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === id ? previous : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return query.data ?? NOTHING;
}

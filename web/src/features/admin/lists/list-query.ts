import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS } from "@slabdesk/contract/api/stats.ts";
import { keepPreviousData } from "@tanstack/react-query";

/** Options of an admin list's query: it is polled, and shows the old rows until those of a new filter have loaded. */
export const LIST_QUERY = {
  placeholderData: keepPreviousData,
  staleTime: ADMIN_CACHE_MS,
  refetchInterval: ADMIN_REFRESH_MS,
};

/** The cursor of the page after this one; null after the last. */
export function nextCursorOf({ nextCursor }: { nextCursor: string | null }): number | null {
  return nextCursor === null ? null : Number(nextCursor);
}

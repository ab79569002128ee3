import { keepPreviousData } from "@tanstack/react-query";
import { ADMIN_POLLING } from "../../../api/stats.ts";

/** Options of an admin list's query: it is polled, and shows the old rows until those of a new filter have loaded. */
export const LIST_QUERY = { ...ADMIN_POLLING, placeholderData: keepPreviousData };

/** The cursor of the page after this one; null after the last. */
export function nextCursorOf({ nextCursor }: { nextCursor: string | null }): number | null {
  return nextCursor === null ? null : Number(nextCursor);
}

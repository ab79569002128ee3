import { type CardHistory, sessionLookupHistorySchema } from "@slabdesk/contract/api/lookup-history.ts";
import type { z } from "zod";
import { request } from "./http.ts";

type SessionLookupHistory = z.infer<typeof sessionLookupHistorySchema>;

/** Rows covered by one request. */
const ROWS_A_PAGE = 5_000;

/** Look-up history of a session's cards, by row ID. Reads all pages in sequence. */
export async function getSessionLookupHistory(
  sessionId: string,
  signal: AbortSignal,
): Promise<Map<string, CardHistory>> {
  const path = `scan-sessions/${encodeURIComponent(sessionId)}/lookup-history`;
  const lookupHistory = new Map<string, CardHistory>();
  let cursor: string | null = "0";
  while (cursor !== null) {
    const searchParams = { cursor, limit: ROWS_A_PAGE };
    const page: SessionLookupHistory = await request(sessionLookupHistorySchema, path, { searchParams, signal });
    for (const { id, ...card } of page.rows) lookupHistory.set(id, card);
    cursor = page.nextCursor;
  }
  return lookupHistory;
}

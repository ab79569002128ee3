import { type CardMemory, sessionMemorySchema } from "@slabdesk/contract/api/memory.ts";
import type { z } from "zod";
import { request } from "./http.ts";

type SessionMemory = z.infer<typeof sessionMemorySchema>;

/** Rows that are looked through by one request. */
const ROWS_A_PAGE = 5_000;

/** What is remembered of a session's cards, by row id; all pages, one after the other. */
export async function getSessionMemory(sessionId: string, signal: AbortSignal): Promise<Map<string, CardMemory>> {
  const path = `scan-sessions/${encodeURIComponent(sessionId)}/memory`;
  const memory = new Map<string, CardMemory>();
  let cursor: string | null = "0";
  while (cursor !== null) {
    const searchParams = { cursor, limit: ROWS_A_PAGE };
    const page: SessionMemory = await request(sessionMemorySchema, path, { searchParams, signal });
    for (const { id, ...card } of page.rows) memory.set(id, card);
    cursor = page.nextCursor;
  }
  return memory;
}

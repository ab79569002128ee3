import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type NewScanSession, type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { getResultsPage } from "./client.ts";
import { request } from "./http.ts";

/** A row as the server takes it, with its line and its cells as they were typed or scanned. */
export type AddedRow = NewScanSession["rows"][number];

/** A request takes this many rows at most. */
export const MAX_ADDED_ROWS = 500;

/** Adds rows to a session and lets them run. A line that the session has already is left as it is: sending twice is harmless. */
export function addRows(sessionId: string, rows: readonly AddedRow[]): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}/rows`, {
    method: "post",
    json: { rows },
  });
}

/** Takes a row out of its session again; answers the session without it. */
export function removeRow(rowId: string): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-results/${encodeURIComponent(rowId)}`, { method: "delete" });
}

const PAGE = 1_000;

/** The row of a line, looked for page by page; null when the session has no such line. */
export async function findRowOfLine(sessionId: string, line: number): Promise<ResultRow | null> {
  let cursor: string | null = "0";
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof getResultsPage>> = await getResultsPage(sessionId, { cursor, limit: PAGE });
    const row = page.results.find((result) => result.line === line);
    if (row) return row;
    cursor = page.nextCursor;
  }
  return null;
}

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type NewScanSession, type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { getResultsPage } from "./client.ts";
import { request } from "./http.ts";

/** A row in the server's format, with its line and its cells as typed or scanned. */
export type AddedRow = NewScanSession["rows"][number];

/** Maximum rows per request. */
export const MAX_ADDED_ROWS = 500;

/** Adds rows to a session and runs them. The server ignores a line that the session already has, so a retry is safe. */
export function addRows(sessionId: string, rows: readonly AddedRow[]): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}/rows`, {
    method: "post",
    json: { rows },
  });
}

/** Removes a row from its session and returns the updated session. */
export function removeRow(rowId: string): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-results/${encodeURIComponent(rowId)}`, { method: "delete" });
}

const PAGE = 1_000;

/** Finds the row of a line by paging through the session; null if the session has no such line. */
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

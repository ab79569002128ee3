import { changedRowsSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/*
 * What is done with chosen rows of one session, by their ids. Each may be asked twice without harm.
 */

/** 100,000 rows take the server longer than one does. */
const MANY_ROWS_TIMEOUT_MS = 120_000;

function path(sessionId: string, action: string): string {
  return `scan-sessions/${encodeURIComponent(sessionId)}/${action}`;
}

/** Looks failed rows up again; others of the rows stay as they are. */
export function retrySelected(sessionId: string, rowIds: readonly string[]): Promise<ScanSession> {
  return request(scanSessionSchema, path(sessionId, "retry"), {
    method: "post",
    json: { rowIds },
    timeout: MANY_ROWS_TIMEOUT_MS,
  });
}

/** Prices found cards again. */
export function repriceSelected(sessionId: string, rowIds: readonly string[]): Promise<ScanSession> {
  return request(scanSessionSchema, path(sessionId, "reprice"), {
    method: "post",
    json: { rowIds },
    timeout: MANY_ROWS_TIMEOUT_MS,
  });
}

/** Says of rows that they need no further look, or takes that back; answers those that changed. */
export async function markReviewed(
  sessionId: string,
  rowIds: readonly string[],
  isReviewed: boolean,
): Promise<readonly ResultRow[]> {
  const answer = await request(changedRowsSchema, path(sessionId, "reviewed"), {
    method: "post",
    json: { rowIds, isReviewed },
    timeout: MANY_ROWS_TIMEOUT_MS,
  });
  return answer.results;
}

/** Where a form with `format`, `thumbnails` and `rowIds` is answered with the file of these rows. */
export function selectionExportUrl(sessionId: string): string {
  return `/api/${path(sessionId, "export")}`;
}

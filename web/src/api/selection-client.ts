import { changedRowsSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/* Actions on selected rows of one session, by row ID. All are idempotent. */

/** 100,000 rows take the server longer than one row. */
const MANY_ROWS_TIMEOUT_MS = 120_000;

function path(sessionId: string, action: string): string {
  return `scan-sessions/${encodeURIComponent(sessionId)}/${action}`;
}

/** Retries the failed rows of a selection; other rows don't change. */
export function retrySelected(sessionId: string, rowIds: readonly string[]): Promise<ScanSession> {
  return request(scanSessionSchema, path(sessionId, "retry"), {
    method: "post",
    json: { rowIds },
    timeoutMs: MANY_ROWS_TIMEOUT_MS,
  });
}

/** Reprices the found cards of a selection. */
export function repriceSelected(sessionId: string, rowIds: readonly string[]): Promise<ScanSession> {
  return request(scanSessionSchema, path(sessionId, "reprice"), {
    method: "post",
    json: { rowIds },
    timeoutMs: MANY_ROWS_TIMEOUT_MS,
  });
}

/** Marks rows as reviewed, or clears the mark. Returns the rows that changed. */
export async function markReviewed(
  sessionId: string,
  rowIds: readonly string[],
  isReviewed: boolean,
): Promise<readonly ResultRow[]> {
  const answer = await request(changedRowsSchema, path(sessionId, "reviewed"), {
    method: "post",
    json: { rowIds, isReviewed },
    timeoutMs: MANY_ROWS_TIMEOUT_MS,
  });
  return answer.results;
}

/** The URL that takes a form with `format`, `thumbnails`, and `rowIds` and returns a file of these rows. */
export function selectionExportUrl(sessionId: string): string {
  return `/api/${path(sessionId, "export")}`;
}

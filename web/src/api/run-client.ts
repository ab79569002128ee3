import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/* Calls that resume a run. Each call is idempotent and returns the updated session. A finished session becomes
   `processing` again if there is work to do. */

function postToSession(sessionId: string, action: string, json: object): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}/${action}`, {
    method: "post",
    json,
  });
}

/** Resumes a stopped session with its remaining rows. */
export function resumeScanSession(sessionId: string): Promise<ScanSession> {
  return postToSession(sessionId, "resume", {});
}

/** Failed rows to retry: all rows with one outcome, one row, or all rows with a transient failure. */
export type RetryRequest = { outcome: OutcomeCode } | { rowId: string } | Record<string, never>;

export function retryRows(sessionId: string, which: RetryRequest = {}): Promise<ScanSession> {
  return postToSession(sessionId, "retry", which);
}

/** Looks up rows that are waiting for PSA's API on PSA's website instead. */
export function sendWaiting(sessionId: string): Promise<ScanSession> {
  return postToSession(sessionId, "waiting", { mode: "scraping" });
}

/** Reprices found cards without calling a grader. Keeps prices from the last 24 hours. */
export function repriceScanSession(sessionId: string): Promise<ScanSession> {
  return postToSession(sessionId, "reprice", {});
}

export type RowChange = { certNumber: string; gradingCompany: string };

/**
 * Corrects a failed row's number and runs the row. @throws ApiError 400 `invalid_number` or `invalid_row` if the row is
 * still unusable, 409 if the row did not fail.
 */
export function changeRow(rowId: string, change: RowChange): Promise<ResultRow> {
  return request(resultRowSchema, `scan-results/${encodeURIComponent(rowId)}`, { method: "patch", json: change });
}

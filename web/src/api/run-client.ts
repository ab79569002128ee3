import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/*
 * What makes a run go on. Each call may be sent twice without harm and answers the state after it. A session that was
 * over is `processing` again when there was something to do.
 */

function postToSession(sessionId: string, action: string, json: object): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}/${action}`, {
    method: "post",
    json,
  });
}

/** A stopped session goes on with the rows it left. */
export function resumeScanSession(sessionId: string): Promise<ScanSession> {
  return postToSession(sessionId, "resume", {});
}

/** Failed rows to look up again: those of one outcome, one row, or all whose failure may pass by itself. */
export type RetryRequest = { outcome: OutcomeCode } | { rowId: string } | Record<string, never>;

export function retryRows(sessionId: string, which: RetryRequest = {}): Promise<ScanSession> {
  return postToSession(sessionId, "retry", which);
}

/** Rows that wait for PSA's API go on by its page. */
export function sendWaiting(sessionId: string): Promise<ScanSession> {
  return postToSession(sessionId, "waiting", { mode: "scraping" });
}

/** The cards that were found are priced again, without a call to a grader. Prices of the last 24 hours stay as they are. */
export function repriceScanSession(sessionId: string): Promise<ScanSession> {
  return postToSession(sessionId, "reprice", {});
}

export type RowChange = { certNumber: string; gradingCompany: string };

/**
 * Puts a failed row's number right and runs it.
 * @throws ApiError 400 `invalid_number` or `invalid_row` with words when it still can't be used, 409 when the row did not fail.
 */
export function changeRow(rowId: string, change: RowChange): Promise<ResultRow> {
  return request(resultRowSchema, `scan-results/${encodeURIComponent(rowId)}`, { method: "patch", json: change });
}

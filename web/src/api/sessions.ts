import { type CardHistory, sessionLookupHistorySchema } from "@slabdesk/contract/api/lookup-history.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import {
  type EXPORT_FORMATS,
  type NewScanSession,
  type ScanSession,
  scanSessionSchema,
  sessionListSchema,
} from "@slabdesk/contract/api/sessions.ts";
import {
  type adminSessionsQuerySchema,
  adminSessionListSchema,
  sessionDeletedSchema,
} from "@slabdesk/contract/api/stats.ts";
import type { z } from "zod";
import { request } from "./http.ts";
import { sessionPath } from "./paths.ts";

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** 100,000 rows take time to upload, and the server longer than one row. */
const MANY_ROWS_TIMEOUT_MS = 120_000;

/** Creates a session and starts its run. Repeating an `idempotencyKey` never creates a second session. */
export function createScanSession(session: NewScanSession, idempotencyKey: string): Promise<ScanSession> {
  return request(scanSessionSchema, "scan-sessions", {
    method: "post",
    json: session,
    headers: { "idempotency-key": idempotencyKey },
    timeoutMs: MANY_ROWS_TIMEOUT_MS,
  });
}

/**
 * Creates a session from a whole sheet and starts its run. `session` is the JSON request body. It is serialized off the
 * main thread, because serializing 100,000 rows would freeze the page for a second. Repeating an `idempotencyKey` never
 * creates a second session.
 */
export function startScanSession(
  session: Blob,
  { idempotencyKey, signedOutMessage }: { idempotencyKey: string; signedOutMessage: string },
): Promise<ScanSession> {
  return request(scanSessionSchema, "scan-sessions", {
    method: "post",
    body: session,
    headers: { "idempotency-key": idempotencyKey },
    timeoutMs: MANY_ROWS_TIMEOUT_MS,
    signedOutMessage,
  });
}

export type SessionListQuery = {
  filter?: string;
  sort?: "date" | "name" | "cards" | "status";
  order?: "asc" | "desc";
  cursor?: string;
  limit?: number;
};

/** Lists the caller's own sessions, newest first by default. `nextCursor` is null on the last page. */
export function listScanSessions(query: SessionListQuery = {}): Promise<z.infer<typeof sessionListSchema>> {
  return request(sessionListSchema, "scan-sessions", { searchParams: query });
}

export function getScanSession(sessionId: string): Promise<ScanSession> {
  return request(scanSessionSchema, sessionPath(sessionId));
}

/** The server's length limit for a session name. */
export const LONGEST_SESSION_NAME = 500;

export function renameScanSession(sessionId: string, sessionName: string): Promise<ScanSession> {
  return request(scanSessionSchema, sessionPath(sessionId), {
    method: "patch",
    json: { sessionName },
  });
}

export type AdminSessionsQuery = Partial<z.output<typeof adminSessionsQuerySchema>>;
export type AdminSessionList = z.infer<typeof adminSessionListSchema>;

/** Lists all users' matching sessions, newest first, 50 per page by default. `nextCursor` is null on the last page. */
export function listAdminSessions(query: AdminSessionsQuery, signal: AbortSignal): Promise<AdminSessionList> {
  return request(adminSessionListSchema, "admin/sessions", { searchParams: query, signal });
}

/** Deletes any user's session and its results, even while it runs. @throws ApiError 404 if it was already deleted. */
export function deleteScanSession(sessionId: string): Promise<z.infer<typeof sessionDeletedSchema>> {
  return request(sessionDeletedSchema, sessionPath(sessionId), { method: "delete" });
}

/* Calls that change a run. Each call is idempotent and returns the updated session. A finished session becomes
   `processing` again if there is work to do. */

function postToSession(sessionId: string, action: string, json: object): Promise<ScanSession> {
  return request(scanSessionSchema, sessionPath(sessionId, action), {
    method: "post",
    json,
    timeoutMs: MANY_ROWS_TIMEOUT_MS,
  });
}

/** Stops a run. The card in flight finishes; the rest stay pending. Idempotent. */
export function stopScanSession(sessionId: string): Promise<ScanSession> {
  return postToSession(sessionId, "stop", {});
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

/** Retries the failed rows of a selection; other rows don't change. */
export function retrySelected(sessionId: string, rowIds: readonly string[]): Promise<ScanSession> {
  return postToSession(sessionId, "retry", { rowIds });
}

/** Reprices the found cards of a selection. */
export function repriceSelected(sessionId: string, rowIds: readonly string[]): Promise<ScanSession> {
  return postToSession(sessionId, "reprice", { rowIds });
}

type SessionLookupHistory = z.infer<typeof sessionLookupHistorySchema>;

/** Rows covered by one request. */
const ROWS_A_PAGE = 5_000;

/** Look-up history of a session's cards, by row ID. Reads all pages in sequence. */
export async function getSessionLookupHistory(
  sessionId: string,
  signal: AbortSignal,
): Promise<Map<string, CardHistory>> {
  const path = sessionPath(sessionId, "lookup-history");
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

/** The download URL for a session's rows in the given format. */
export function exportUrl(sessionId: string, format: ExportFormat): string {
  return `/api/${sessionPath(sessionId, "export")}?format=${format}`;
}

/** The URL that takes a form with `format`, `thumbnails`, and `rowIds` and returns a file of these rows. */
export function selectionExportUrl(sessionId: string): string {
  return `/api/${sessionPath(sessionId, "export")}`;
}

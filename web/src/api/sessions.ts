import { type CardHistory, sessionLookupHistorySchema } from "@slabdesk/contract/api/lookup-history.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import type { ListingPrice, OfferRule } from "@slabdesk/contract/api/prices.ts";
import {
  type EXPORT_FORMATS,
  type NewScanSession,
  scanSessionSchema,
  type sessionListQuerySchema,
  sessionListSchema,
} from "@slabdesk/contract/api/sessions.ts";
import {
  type adminSessionsQuerySchema,
  adminSessionListSchema,
  sessionDeletedSchema,
} from "@slabdesk/contract/api/stats.ts";
import { isoDate } from "@slabdesk/contract/sheet/session-name.ts";
import type { z } from "zod";
import { apiUrl, pagesOf, request, uncheckedRows } from "./http.ts";

export function sessionPath(sessionId: string, action?: string): string {
  return `scan-sessions/${encodeURIComponent(sessionId)}${action === undefined ? "" : `/${action}`}`;
}

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** 100,000 rows take time to upload, and the server longer than one row. */
export const MANY_ROWS_TIMEOUT_MS = 120_000;

/**
 * Creates a session and starts its run. A large sheet comes as JSON that was serialized off the main thread, which it
 * would freeze for a second. Repeating an `idempotencyKey` never creates a second session.
 */
export const startScanSession = (
  session: NewScanSession | Blob,
  { userId, idempotencyKey, signedOutMessage }: { userId?: string; idempotencyKey: string; signedOutMessage?: string },
) =>
  request(scanSessionSchema, "scan-sessions", {
    method: "post",
    ...(session instanceof Blob ? { body: session } : { json: session }),
    headers: { "idempotency-key": idempotencyKey, ...(userId !== undefined && { "user-id": userId }) },
    timeoutMs: MANY_ROWS_TIMEOUT_MS,
    signedOutMessage,
  });

/** Plans a sheet without storing anything. `plan` is the JSON body (see `startScanSession`). */
export const createScanPlan = (plan: Blob, signal: AbortSignal) =>
  request(scanPlanSchema, "scan-plans", { method: "post", body: plan, signal, timeoutMs: MANY_ROWS_TIMEOUT_MS });

export type SessionListQuery = Partial<Omit<z.output<typeof sessionListQuerySchema>, "cursor">> & { cursor?: string };

/** Lists the caller's own sessions, newest first by default. `nextCursor` is null on the last page. */
export const listScanSessions = (query: SessionListQuery = {}) =>
  request(sessionListSchema, "scan-sessions", { searchParams: query });

export const getScanSession = (sessionId: string) => request(scanSessionSchema, sessionPath(sessionId));

export const LONGEST_SESSION_NAME = 500;

/** A new name, or an offer rule; null removes the rule. */
export type SessionChange = { sessionName: string } | { offerRule: OfferRule | null };

export const changeScanSession = (sessionId: string, change: SessionChange) =>
  request(scanSessionSchema, sessionPath(sessionId), { method: "patch", json: change });

export type AdminSessionsQuery = Partial<Omit<z.output<typeof adminSessionsQuerySchema>, "cursor">> & {
  cursor?: string;
};
export type AdminSessionList = z.infer<typeof adminSessionListSchema>;

/** Lists all users' matching sessions, newest first, 50 per page by default. `nextCursor` is null on the last page. */
export const listAdminSessions = (query: AdminSessionsQuery, signal: AbortSignal) =>
  request(adminSessionListSchema, "admin/sessions", { searchParams: query, signal });

/** The sessions of a list's pages. If one was added between requests, a page starts with the last entry of the one before. */
export function sessionsOf<Session extends { id: string }>({ pages }: { pages: readonly { sessions: Session[] }[] }) {
  const sessions = pages.flatMap((page) => page.sessions);
  return [...new Map(sessions.map((session) => [session.id, session])).values()];
}

/** Deletes any user's session and its results, even while it runs. @throws ApiError 404 if it was already deleted. */
export const deleteScanSession = (sessionId: string) =>
  request(sessionDeletedSchema, sessionPath(sessionId), { method: "delete" });

/** Acts on a session's run; idempotent. A finished session becomes `processing` again if there is work to do. */
export const postToSession = (
  sessionId: string,
  action: "stop" | "resume" | "retry" | "waiting" | "companies" | "remove" | "reprice",
  json: { rowId?: string; rowIds?: readonly string[]; mode?: "scraping"; company?: Company } = {},
) =>
  request(scanSessionSchema, sessionPath(sessionId, action), { method: "post", json, timeoutMs: MANY_ROWS_TIMEOUT_MS });

const ROWS_A_PAGE = 2_000;

const lookupHistoryFrameSchema = sessionLookupHistorySchema.extend({
  rows: uncheckedRows<CardHistory & { id: string }>("id"),
});

/** Lookup history of a session's cards, by row ID. Reads all pages in sequence. */
export async function getSessionLookupHistory(sessionId: string, signal: AbortSignal) {
  const path = sessionPath(sessionId, "lookup-history");
  const pages = pagesOf((cursor) =>
    request(lookupHistoryFrameSchema, path, { searchParams: { cursor, limit: ROWS_A_PAGE }, signal }),
  );
  const lookupHistory = new Map<string, CardHistory>();
  for await (const { rows } of pages) for (const { id, ...card } of rows) lookupHistory.set(id, card);
  return lookupHistory;
}

/** The download URL for a session's rows in the given format. The file's name has the user's date. */
export function exportUrl(
  sessionId: string,
  wish: { format: ExportFormat; thumbnails?: "true" } & Partial<ListingPrice>,
): string {
  return apiUrl(sessionPath(sessionId, "export"), { ...wish, date: isoDate(new Date()) });
}

/** The URL that takes a form with `format`, `date`, `thumbnails`, `listAt`, `listPercent`, and `rowIds` and returns a file of these rows. */
export const selectionExportUrl = (sessionId: string): string => apiUrl(sessionPath(sessionId, "export"));

import {
  type adminSessionsQuerySchema,
  adminSessionListSchema,
  sessionDeletedSchema,
} from "@slabdesk/contract/api/stats.ts";
import type { z } from "zod";
import { request } from "./http.ts";

export type AdminSessionsQuery = Partial<z.output<typeof adminSessionsQuerySchema>>;
export type AdminSessionList = z.infer<typeof adminSessionListSchema>;

/** Lists all users' matching sessions, newest first, 50 per page by default. `nextCursor` is null on the last page. */
export function listAdminSessions(query: AdminSessionsQuery, signal: AbortSignal): Promise<AdminSessionList> {
  return request(adminSessionListSchema, "admin/sessions", { searchParams: query, signal });
}

/** Deletes any user's session and its results, even while it runs. @throws ApiError 404 if it was already deleted. */
export function deleteScanSession(sessionId: string): Promise<z.infer<typeof sessionDeletedSchema>> {
  return request(sessionDeletedSchema, `scan-sessions/${encodeURIComponent(sessionId)}`, { method: "delete" });
}

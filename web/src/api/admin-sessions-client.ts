import {
  type adminSessionsQuerySchema,
  adminSessionListSchema,
  sessionDeletedSchema,
} from "@slabdesk/contract/api/stats.ts";
import type { z } from "zod";
import { request } from "./http.ts";

export type AdminSessionsQuery = Partial<z.output<typeof adminSessionsQuerySchema>>;
export type AdminSessionList = z.infer<typeof adminSessionListSchema>;

/** Everybody's sessions that match, newest first, 50 unless asked otherwise. `nextCursor` is null on the last page. */
export function listAdminSessions(query: AdminSessionsQuery, signal: AbortSignal): Promise<AdminSessionList> {
  return request(adminSessionListSchema, "admin/sessions", { searchParams: query, signal });
}

/** Deletes anybody's session with its results, a running one too. @throws ApiError 404 when it is gone already. */
export function deleteScanSession(sessionId: string): Promise<z.infer<typeof sessionDeletedSchema>> {
  return request(sessionDeletedSchema, `scan-sessions/${encodeURIComponent(sessionId)}`, { method: "delete" });
}

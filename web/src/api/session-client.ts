import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/** What the server takes for a session's name. */
export const LONGEST_SESSION_NAME = 500;

export function renameScanSession(sessionId: string, sessionName: string): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}`, {
    method: "patch",
    json: { sessionName },
  });
}

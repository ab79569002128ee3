import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/** The server's length limit for a session name. */
export const LONGEST_SESSION_NAME = 500;

export function renameScanSession(sessionId: string, sessionName: string): Promise<ScanSession> {
  return request(scanSessionSchema, `scan-sessions/${encodeURIComponent(sessionId)}`, {
    method: "patch",
    json: { sessionName },
  });
}

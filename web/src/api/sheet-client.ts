import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/** 100,000 rows take their time to arrive. */
const START_TIMEOUT_MS = 120_000;

/**
 * Creates a session of a whole sheet and starts its run. `session` is the request as JSON, written away from the page,
 * which would stand still for a second while it writes 100,000 rows. The same `idempotencyKey` never creates a second.
 */
export function startScanSession(session: Blob, idempotencyKey: string): Promise<ScanSession> {
  return request(scanSessionSchema, "scan-sessions", {
    method: "post",
    body: session,
    headers: { "idempotency-key": idempotencyKey },
    timeout: START_TIMEOUT_MS,
  });
}

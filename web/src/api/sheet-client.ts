import { type ScanSession, scanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import { request } from "./http.ts";

/** 100,000 rows take time to upload. */
const START_TIMEOUT_MS = 120_000;

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
    timeout: START_TIMEOUT_MS,
    signedOutMessage,
  });
}

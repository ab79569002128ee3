import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";

/** The newer state of a session. An unchanged offer rule stays the same object: a new one re-renders every row. */
export function newerSession(shown: ScanSession, received: ScanSession): ScanSession {
  if (received.id !== shown.id || received.eventSeq < shown.eventSeq) return shown;
  const { offerRule } = shown;
  const isSame = offerRule !== received.offerRule && JSON.stringify(offerRule) === JSON.stringify(received.offerRule);
  return isSame ? { ...received, offerRule } : received;
}

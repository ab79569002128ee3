import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";

/**
 * Returns the newer of the shown and the received session state, so that a late response never reverts the view. Keeps
 * the offer rule's object identity while its value is unchanged, because every row re-renders when it changes.
 */
export function newerSession(shown: ScanSession, received: ScanSession): ScanSession {
  if (received.id !== shown.id || received.eventSeq < shown.eventSeq) return shown;
  const { offerRule } = shown;
  const isSame = offerRule !== received.offerRule && JSON.stringify(offerRule) === JSON.stringify(received.offerRule);
  return isSame ? { ...received, offerRule } : received;
}

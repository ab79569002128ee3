import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";

/**
 * The newer of two states of a session, the one shown and the one told: what crosses on its way never goes back. The
 * rule of offers stays one object until it changes: every row of the table is drawn by it.
 */
export function newerSession(shown: ScanSession, told: ScanSession): ScanSession {
  if (told.id !== shown.id || told.eventSeq < shown.eventSeq) return shown;
  const { offerRule } = shown;
  const isSame = offerRule !== told.offerRule && JSON.stringify(offerRule) === JSON.stringify(told.offerRule);
  return isSame ? { ...told, offerRule } : told;
}

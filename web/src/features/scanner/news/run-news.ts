import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { announcementOf, pricesLeft } from "../../../run/run-progress.ts";
import { newWaitsMessage } from "../session/waits.ts";

/**
 * What changed in the visible session since `seen`, with the screen-reader announcement as `message`. `isChanged`:
 * another one is shown, or it started, resumed, or ended. `hasEnded` is null if its state didn't change. A session that
 * was over when first shown is news only if it was started here: a sheet of cached certs finishes at once. Prices that
 * arrive after the end, late or repriced, don't start or end a run.
 */
export function newsOf(seen: ScanSession | null, session: ScanSession | null, isOwnStart: boolean, nowMs: number) {
  const before = seen?.id === session?.id ? seen : null;
  const isChanged = seen?.id !== session?.id || before?.status !== session?.status;
  if (!session) return { isChanged, hasEnded: isChanged ? false : null, message: null };
  const isNews = isChanged && (before !== null || isOwnStart || session.status === "processing");
  return {
    isChanged,
    hasEnded: isChanged ? isNews && session.status === "completed" : null,
    message:
      [
        isNews ? announcementOf(session, before !== null) : null,
        isChanged || before === null ? null : pricesMessage(before, session),
        newWaitsMessage(before, session, nowMs),
      ]
        .filter((sentence) => sentence !== null)
        .join(". ") || null,
  };
}

/** Announced once, when the last price fetched after the end arrives. */
function pricesMessage(before: ScanSession, session: ScanSession): string | null {
  const isOver = session.status !== "processing";
  return isOver && pricesLeft(before) > 0 && pricesLeft(session) === 0 ? "All prices are in" : null;
}

import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { announcementOf, pricesLeft } from "../../../run/run-progress.ts";
import { newWaitsMessage } from "../session/waits.ts";

export type RunNews = {
  /** Another session is shown, or the shown one started, resumed, or ended. */
  isChanged: boolean;
  /** True if a followed run has ended; null if its state didn't change. */
  hasEnded: boolean | null;
  /** The screen-reader announcement, if any. */
  message: string | null;
};

/**
 * What changed in the visible session since `seen`. A session that was already over when first shown is news only if it
 * was started here: a sheet of cached certs finishes at once. Prices that arrive after the end, late or repriced, don't
 * start or end a run.
 */
export function newsOf(
  seen: ScanSession | null,
  session: ScanSession | null,
  isOwnStart: boolean,
  nowMs: number,
): RunNews {
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

import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { announcementOf, pricesLeft } from "../../session/run-view.ts";
import { newWaitsMessage } from "./wait-view.ts";

export type RunNews = {
  /** Another session is shown, or the one that is shown has begun, gone on or ended. */
  isChanged: boolean;
  /** A run that was followed to here has ended; null when its state is the old one. */
  hasEnded: boolean | null;
  /** What a screen reader hears: a sentence when a run begins, goes on or ends, one for each wait that begins; else null. */
  message: string | null;
};

/**
 * What is new about the session on the screen, since `seen`. One that was over before it came on the screen is news
 * only if it was started here: a sheet of known cards is done at once. Prices that come
 * after the end, late or fetched anew, are no run that begins and ends.
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
    message: sentences(
      isNews ? announcementOf(session, before !== null) : null,
      isChanged || before === null ? null : pricesMessage(before, session),
      newWaitsMessage(before, session, nowMs),
    ),
  };
}

/** Said once, when nothing is to come any more of the prices that were fetched after the end. */
function pricesMessage(before: ScanSession, session: ScanSession): string | null {
  const isOver = session.status !== "processing";
  return isOver && pricesLeft(before) > 0 && pricesLeft(session) === 0 ? "Prices: none to go" : null;
}

function sentences(...message: (string | null)[]): string | null {
  const said = message.filter((sentence) => sentence !== null);
  return said.length === 0 ? null : said.join(". ");
}

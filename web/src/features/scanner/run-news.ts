import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { announcementOf, leftOver, pricesLeft, progressOf } from "./run-view.ts";
import { newWaitsWords } from "./wait-view.ts";

export type RunNews = {
  /** Another session is shown, or the one that is shown has begun, gone on or ended. */
  isChanged: boolean;
  /** A run that was followed to here has ended; null when its state is the old one, or only prices have come. */
  hasEnded: boolean | null;
  /** What a screen reader hears: a sentence when a run begins, goes on or ends, one for each wait that begins; else null. */
  words: string | null;
};

/** True when no card of the session is still to be looked up: what comes now are prices. */
export function areCardsDone(session: ScanSession): boolean {
  return leftOver(progressOf(session)) === 0;
}

/**
 * What is new about the session on the screen, since `seen`. One that was over before it came on the screen is news
 * only if it was started here: a sheet of known cards is done at once. `wasOver` says that it was over before and had
 * no card to look up since: prices that are fetched then, anew or late, are no run that begins and ends.
 */
export function newsOf(
  seen: ScanSession | null,
  session: ScanSession | null,
  isOwnStart: boolean,
  nowMs: number,
  wasOver = false,
): RunNews {
  const before = seen?.id === session?.id ? seen : null;
  const isChanged = seen?.id !== session?.id || before?.status !== session?.status;
  if (!session) return { isChanged, hasEnded: isChanged ? false : null, words: null };
  if (wasOver && before !== null && areCardsDone(session))
    return {
      isChanged,
      hasEnded: null,
      words: sentences(pricesWords(before, session), newWaitsWords(before, session, nowMs)),
    };
  const isNews = isChanged && (before !== null || isOwnStart || session.status === "processing");
  return {
    isChanged,
    hasEnded: isChanged ? isNews && session.status === "completed" : null,
    words: sentences(isNews ? announcementOf(session, before !== null) : null, newWaitsWords(before, session, nowMs)),
  };
}

/** Said once, when the last price is there. */
function pricesWords(before: ScanSession, session: ScanSession): string | null {
  return pricesLeft(before) > 0 && pricesLeft(session) === 0 ? "All prices are there" : null;
}

function sentences(...words: (string | null)[]): string | null {
  const said = words.filter((sentence) => sentence !== null);
  return said.length === 0 ? null : said.join(". ");
}

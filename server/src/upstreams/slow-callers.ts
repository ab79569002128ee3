import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";
import { LaneClosedError } from "./lane-slots.ts";

const SLOW_FOR_MS = 600_000;
const FAST_WITHIN_MS = 300_000;
/** How many times the excess of a slow card's time over the limit makes the gap that follows it. */
const GAP_FACTOR = 3;
const CHECK_AGAIN_MS = 500;

/** The caller's card must wait after slow cards. The work did not begin. */
class LaneWaitError extends LaneClosedError {
  override name = "LaneWaitError";
}

export type SlowCallersOptions = {
  /** A card whose calls take longer is slow. */
  longCallMs: number;
  /** How many of a person's single cards may wait for the lane at a time. */
  each: number;
  closing: AbortSignal;
  now?: () => number;
};

/**
 * A card that a grader never answers holds a lane's slot until its calls time out. While other people's cards are fast,
 * the person's next card waits for the time by which the slow one exceeded the limit. People with several slow cards in
 * ten minutes share a gap: after each of these cards, none of theirs begins for three times the excess. So cards that take
 * three times the limit together use a third of the lane, however many people they belong to. In an outage, or while only
 * people with several slow cards use the lane, no one waits.
 */
export function createSlowCallers({ longCallMs, each, closing, now = () => performance.now() }: SlowCallersOptions) {
  const refuse = () => new LaneClosedError("The client disconnected");
  const singles = createShares({ total: Infinity, each, refuse });
  const slow = new Map<string, { at: number; waitsUntil: number; hasSeveral: boolean }>();
  /** When the next card of a person with several slow cards may begin. */
  let gapEndsAt = -Infinity;
  /** When each person's latest fast card ended. The time that slow cards take doesn't count. */
  const fastAt = new Map<string, number>();

  const othersWithFastCards = (person: string): string[] =>
    [...fastAt].flatMap(([other, at]) => (other !== person && now() - at < FAST_WITHIN_MS ? [other] : []));

  /** How many milliseconds a person's next card has to wait. */
  function waitMs(person: string): number {
    const own = slow.get(person);
    if (!own || !othersWithFastCards(person).some((other) => !slow.get(other)?.hasSeveral)) return 0;
    return Math.max(0, (own.hasSeveral ? gapEndsAt : own.waitsUntil) - now());
  }

  function forgetOld(): void {
    for (const [person, { at }] of slow) if (now() - at >= SLOW_FOR_MS) slow.delete(person);
    for (const [person, at] of fastAt) if (now() - at >= FAST_WITHIN_MS) fastAt.delete(person);
  }

  async function waitOut(person: string, stop: AbortSignal): Promise<void> {
    while (waitMs(person) > 0 && !stop.aborted) await pause(CHECK_AGAIN_MS, stop);
  }

  return {
    /** Notes how long the calls for a person's card took. */
    note(person: string, ms: number): void {
      if (ms < longCallMs) {
        fastAt.set(person, now());
        return;
      }
      for (const [other, at] of fastAt) fastAt.set(other, at + ms);
      fastAt.delete(person);
      forgetOld();
      if (othersWithFastCards(person).length === 0) return;
      const excess = ms - longCallMs;
      slow.set(person, { at: now(), waitsUntil: now() + excess, hasSeveral: slow.has(person) });
      gapEndsAt = Math.max(gapEndsAt, now() + GAP_FACTOR * excess);
    },

    waitMs,

    /** @throws LaneWaitError if the person's next card has to wait */
    demandNoWait(person: string): void {
      if (waitMs(person) > 0) throw new LaneWaitError("This person's cards have to wait after slow ones");
    },

    /** Runs a single lookup or price. If it has to wait, runs it again after the wait. A few of a person's wait at a time. */
    runSingle<T>(person: string, work: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
      const stop = AbortSignal.any([closing, givenUp]);
      const untilAdmitted = async (): Promise<T> => {
        for (;;) {
          try {
            return await work();
          } catch (error) {
            if (!(error instanceof LaneWaitError) || stop.aborted) throw error;
          }
          await waitOut(person, stop);
        }
      };
      return singles.run(person, untilAdmitted, givenUp);
    },
  };
}

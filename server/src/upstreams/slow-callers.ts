import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";
import { LaneClosedError } from "./lane-slots.ts";

const WAIT_FACTOR = 4;
const SLOW_FOR_MS = 600_000;
const FAST_WITHIN_MS = 300_000;
const CHECK_AGAIN_MS = 500;

export type SlowCallersOptions = {
  /** A card whose calls take longer is slow. */
  longCallMs: number;
  /** How many of a person's cards may wait for the lane at a time. */
  each: number;
  closing: AbortSignal;
  now?: () => number;
};

/**
 * A card that a grader never answers holds a lane's slot until its calls time out. The person is slow for ten minutes:
 * while other people's cards are fast, the person's next card waits. The wait is four times the time by which the slow
 * cards exceeded `longCallMs`, times the number of slow people. In an outage, no card is fast, and no one has to wait.
 */
export function createSlowCallers({ longCallMs, each, closing, now = () => performance.now() }: SlowCallersOptions) {
  const refuse = () => new LaneClosedError("The client disconnected");
  const singles = createShares({ total: Infinity, each, refuse });
  // A person's other cards wait here until the current one ends, because it may turn out to be slow.
  const cards = createShares({ total: Infinity, each, refuse });
  /** When each slow person's latest slow card ended, and when the person's next card may begin. */
  const slow = new Map<string, { at: number; waitsUntil: number }>();
  /** When each person's latest fast card ended. The time that slow cards take doesn't count. */
  const fastAt = new Map<string, number>();

  const waitOf = (person: string): number => Math.max(0, (slow.get(person)?.waitsUntil ?? -Infinity) - now());
  const areOthersFast = (person: string): boolean =>
    [...fastAt].some(([other, at]) => other !== person && now() - at < FAST_WITHIN_MS && waitOf(other) === 0);
  /** How many milliseconds a person's next card has to wait. */
  const waitMs = (person: string): number => (areOthersFast(person) ? waitOf(person) : 0);

  function forgetOld(): void {
    for (const [person, { at, waitsUntil }] of slow)
      if (now() >= Math.max(at + SLOW_FOR_MS, waitsUntil)) slow.delete(person);
    for (const [person, at] of fastAt) if (now() - at >= FAST_WITHIN_MS) fastAt.delete(person);
  }

  /** Runs the lookup or price of a person's card. If the person is slow, it may have to wait. */
  function run<T>(person: string, work: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
    const stop = givenUp ? AbortSignal.any([closing, givenUp]) : closing;
    const afterWait = async (): Promise<T> => {
      while (waitMs(person) > 0 && !stop.aborted) await pause(CHECK_AGAIN_MS, stop);
      return work();
    };
    return cards.run(person, afterWait, stop);
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
      const people = new Set([...slow.keys(), person]).size;
      slow.set(person, { at: now(), waitsUntil: now() + waitOf(person) + WAIT_FACTOR * (ms - longCallMs) * people });
    },

    waitMs,
    run,
    /** Like `run`, for a single lookup or price. A few of a person's wait at a time. */
    runSingle: <T>(person: string, work: () => Promise<T>, givenUp: AbortSignal): Promise<T> =>
      singles.run(person, () => run(person, work, givenUp), givenUp),
  };
}

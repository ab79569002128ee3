import pLimit from "p-limit";
import { pause } from "../concurrency/repeat.ts";
import { createShares } from "../concurrency/shares.ts";

const REST = 3;
const SLOW_FOR_MS = 600_000;
const FAST_WITHIN_MS = 120_000;
const CHECK_AGAIN_MS = 500;

export type SlowCallersOptions = {
  /** A card whose calls take longer is slow. */
  longCallMs: number;
  /** How many of a person's single lookups or prices may wait for the lane at a time. */
  each: number;
  closing: AbortSignal;
  now?: () => number;
};

/**
 * A card that a grader never answers holds a lane's slot until its calls time out. A person with such a card is slow for
 * ten minutes: while other people's cards are fast, single lookups and prices of slow people run one at a time, and the
 * next one waits three times as long as the last one took. So all of them together get at most a quarter of the time. In
 * an outage, no card is fast, and no one has to wait.
 */
export function createSlowCallers({ longCallMs, each, closing, now = () => performance.now() }: SlowCallersOptions) {
  const ofPeople = createShares({ total: Infinity, each });
  const ofSlowPeople = pLimit(1);
  /** When a card of each slow person last took long. */
  const slowAt = new Map<string, number>();
  /** The latest fast card, and the latest one of somebody else. */
  let latest = { person: "", at: -Infinity };
  let before = latest;
  let restUntil = -Infinity;

  const isSlow = (person: string): boolean => now() - (slowAt.get(person) ?? -Infinity) < SLOW_FOR_MS;
  const areOthersFast = (person: string): boolean =>
    now() - (latest.person === person ? before : latest).at < FAST_WITHIN_MS;

  return {
    /** Notes how long the calls for a person's card took. */
    note(person: string, ms: number): void {
      for (const other of slowAt.keys()) if (!isSlow(other)) slowAt.delete(other);
      if (ms >= longCallMs) {
        slowAt.set(person, now());
        restUntil = now() + REST * ms;
      } else if (!isSlow(person)) {
        if (person !== latest.person) before = latest;
        latest = { person, at: now() };
      }
    },

    /** Runs a person's single lookup or price. If the person is slow, it may have to wait. */
    run<T>(person: string, work: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
      const stop = AbortSignal.any([closing, givenUp]);
      const afterRest = async (): Promise<T> => {
        while (now() < restUntil && areOthersFast(person) && !stop.aborted) await pause(CHECK_AGAIN_MS, stop);
        return work();
      };
      const begin = () => (isSlow(person) && areOthersFast(person) ? ofSlowPeople(afterRest) : work());
      return ofPeople.run(person, begin, givenUp);
    },
  };
}

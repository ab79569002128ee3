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
 * A card that a grader never answers holds a lane's slot until its calls time out. People with such cards are slow for
 * ten minutes: while cards of others are fast, their single lookups and prices run one at a time, and the lane rests
 * from them three times as long after each. So all of them together get at most a quarter of the time. In an outage, no
 * card is fast, and nobody rests.
 */
export function createSlowCallers({ longCallMs, each, closing, now = () => performance.now() }: SlowCallersOptions) {
  const ofPeople = createShares({ total: Infinity, each });
  const ofSlowPeople = pLimit(1);
  /** When a card of each slow person last took long. */
  const slowAt = new Map<string, number>();
  let fastAt = -Infinity;
  let restUntil = -Infinity;

  const isSlow = (person: string): boolean => now() - (slowAt.get(person) ?? -Infinity) < SLOW_FOR_MS;
  const areOthersFast = (): boolean => now() - fastAt < FAST_WITHIN_MS;

  return {
    /** Notes how long the calls for a person's card took. */
    note(person: string, ms: number): void {
      for (const other of slowAt.keys()) if (!isSlow(other)) slowAt.delete(other);
      if (ms >= longCallMs) {
        slowAt.set(person, now());
        restUntil = now() + REST * ms;
      } else if (!isSlow(person)) fastAt = now();
    },

    /** Runs a person's single lookup or price, after a rest if the person is slow. */
    run<T>(person: string, work: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
      const stop = AbortSignal.any([closing, givenUp]);
      const afterRest = async (): Promise<T> => {
        while (now() < restUntil && areOthersFast() && !stop.aborted) await pause(CHECK_AGAIN_MS, stop);
        return work();
      };
      const begin = () => (isSlow(person) && areOthersFast() ? ofSlowPeople(afterRest) : work());
      return ofPeople.run(person, begin, givenUp);
    },
  };
}

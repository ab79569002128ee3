import type { Budgets } from "../concurrency/budgets.ts";

const REST = 3;
const SLOW_FOR_MS = 600_000;
const FAST_WITHIN_MS = 120_000;
const CHECK_AGAIN_MS = 1_000;

export type SlowCallers = ReturnType<typeof createSlowCallers>;

/**
 * People whose cards take long, such as those that a grader never answers, hold a lane's slot for that time. While cards
 * of others are fast, their single lookups and prices rest three times as long afterward: those of all slow people
 * together, so that they get at most a quarter of the time. In an outage, no card is fast, and nobody rests.
 */
export function createSlowCallers(longCallMs: number, now: () => number = () => performance.now()) {
  /** When a card of each person last took long. */
  const slowAt = new Map<string, number>();
  let restUntil = -Infinity;
  /** The latest fast card, and the latest one of somebody else. */
  let latest = { person: "", at: -Infinity };
  let before = latest;
  const waiting = new Set<() => void>();

  const isSlow = (person: string): boolean => now() - (slowAt.get(person) ?? -Infinity) < SLOW_FOR_MS;
  const areOthersFast = (person: string): boolean =>
    now() - (latest.person === person ? before : latest).at < FAST_WITHIN_MS;
  const mustRest = (person: string): boolean => now() < restUntil && isSlow(person) && areOthersFast(person);

  return {
    /** Notes how long the calls for a person's card took. */
    note(person: string, ms: number): void {
      if (ms < longCallMs) {
        if (person !== latest.person) before = latest;
        latest = { person, at: now() };
        return;
      }
      for (const other of slowAt.keys()) if (!isSlow(other)) slowAt.delete(other);
      slowAt.set(person, now());
      restUntil = now() + REST * ms;
    },
    mustRest,
    mustNotWorkInParallel: (person: string): boolean => isSlow(person) && areOthersFast(person),
    checkAgain(_person: string, check: () => void): void {
      if (waiting.has(check)) return;
      waiting.add(check);
      const again = (): void => {
        waiting.delete(check);
        check();
      };
      setTimeout(again, Math.min(CHECK_AGAIN_MS, Math.max(1, restUntil - now()))).unref();
    },
  } satisfies Partial<Budgets> & { note: unknown };
}

import { setTimeout as pause } from "node:timers/promises";

const RECENT_MS = 300;

/** The latest request, and the latest one of somebody else. */
let latest = { person: "", at: -Infinity };
let before = latest;

export function noteRequest(person: string): void {
  if (person !== latest.person) before = latest;
  latest = { person, at: performance.now() };
}

/** True if someone else sent a request in the last 300 ms. */
export function hasOthers(person: string): boolean {
  const { at } = latest.person === person ? before : latest;
  return performance.now() - at < RECENT_MS;
}

/** After `burstMs` of work, a person may use only this share of the time. The burst refills over time. */
export type Budget = { burstMs: number; share: number };

/** For work that slows others. Allows one largest sheet at once; throttles the next. */
export const HEAVY_WORK: Budget = { burstMs: 4_000, share: 0.1 };

const CHECK_AGAIN_MS = 300;

/** Limits the work of each person while others send requests. */
export function createBudgets({ burstMs, share }: Budget) {
  /** When each person's burst will be full again. */
  const fullAt = new Map<string, number>();
  const waiting = new Set<string>();
  const restMs = (person: string): number => (fullAt.get(person) ?? 0) - performance.now() - burstMs / share;
  const mustRest = (person: string): boolean => restMs(person) > 0 && hasOthers(person);

  function spend(person: string, ms: number): void {
    const now = performance.now();
    for (const [other, at] of fullAt) if (at <= now) fullAt.delete(other);
    fullAt.set(person, Math.max(fullAt.get(person) ?? 0, now) + ms / share);
  }

  return {
    spend,
    mustRest,

    /** Spends after a rest, if one is due. The rest ends early when the client has left (`gone`). */
    async spendInTurn(person: string, ms: number, gone: AbortSignal): Promise<void> {
      while (mustRest(person) && !gone.aborted) await pause(Math.min(CHECK_AGAIN_MS, Math.max(1, restMs(person))));
      spend(person, ms);
    },

    /** Calls back soon, when the person may no longer have to rest. */
    checkAgain(person: string, check: () => void): void {
      if (waiting.has(person)) return;
      waiting.add(person);
      const checkAfterMs = Math.min(CHECK_AGAIN_MS, Math.max(1, restMs(person)));
      const timer = setTimeout(() => {
        waiting.delete(person);
        check();
      }, checkAfterMs);
      timer.unref();
    },
  };
}

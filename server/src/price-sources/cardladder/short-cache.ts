import { createSingleFlight } from "../../concurrency/single-flight.ts";

const KEPT_MS = 600_000;

/**
 * Caches successful answers for ten minutes by request. Evicts the oldest one beyond `capacity`. Concurrent calls for
 * the same request share one attempt.
 */
export function createShortCache<T extends { ok: boolean }>(now: () => Date, capacity: number) {
  const kept = new Map<string, { answer: T; askedAt: number }>();
  const flights = createSingleFlight<T>();

  async function askAndKeep(asked: string, ask: () => Promise<T>): Promise<T> {
    const askedAt = now().getTime();
    kept.delete(asked);
    const answer = await ask();
    if (!answer.ok) return answer;
    kept.set(asked, { answer, askedAt });
    const [oldest] = kept.keys();
    if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
    return answer;
  }

  return {
    async recall(asked: string, ask: () => Promise<T>): Promise<T> {
      const known = kept.get(asked);
      if (known && now().getTime() - known.askedAt < KEPT_MS) return known.answer;
      return flights.run(asked, () => askAndKeep(asked, ask));
    },
  };
}

/** Caches answers for ten minutes by request. Failures are not cached. */
export type ShortCache<T> = {
  /** Returns the cached answer or the result of `ask`. Concurrent calls for the same request share one attempt. */
  recall(asked: string, ask: () => Promise<T>): Promise<T>;
};

const KEPT_MS = 600_000;

/** Evicts the oldest entry beyond `capacity`. */
export function createShortCache<T extends { ok: boolean }>(now: () => Date, capacity: number): ShortCache<T> {
  const kept = new Map<string, { answer: Promise<T>; askedAt: number }>();

  return {
    async recall(asked, ask) {
      const known = kept.get(asked);
      if (known && now().getTime() - known.askedAt < KEPT_MS) return known.answer;
      const entry = { answer: ask(), askedAt: now().getTime() };
      kept.delete(asked);
      kept.set(asked, entry);
      const [oldest] = kept.keys();
      if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
      let isGood = false;
      try {
        const answer = await entry.answer;
        isGood = answer.ok;
        return answer;
      } finally {
        if (!isGood && kept.get(asked) === entry) kept.delete(asked);
      }
    },
  };
}

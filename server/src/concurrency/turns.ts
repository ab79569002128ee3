/**
 * Runs work that shares a key one at a time, in order of arrival. Work without a common key runs in parallel. p-limit
 * doesn't fit: work can have several keys, and must take its turn in all of them at once.
 */
export function createTurns() {
  const last = new Map<string, Promise<void>>();
  async function run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = keys.flatMap((key) => last.get(key) ?? []);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    for (const key of keys) last.set(key, ended);
    await Promise.all(before);
    try {
      return await work();
    } finally {
      for (const key of keys) if (last.get(key) === ended) last.delete(key);
      end();
    }
  }
  return { run, isTaken: (key: string): boolean => last.has(key) };
}

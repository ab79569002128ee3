/** Shares one run of some work among concurrent callers with the same key. */
export function createSingleFlight<T>() {
  const inFlight = new Map<string, Promise<T>>();
  return {
    run(key: string, work: () => Promise<T>): Promise<T> {
      const running = inFlight.get(key) ?? work().finally(() => inFlight.delete(key));
      inFlight.set(key, running);
      return running;
    },
    current: (key: string): Promise<T> | undefined => inFlight.get(key),
  };
}

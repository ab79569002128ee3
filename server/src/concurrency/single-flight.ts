export type SingleFlight<T> = {
  /** Runs `work`, or joins the run that is in flight for the same key. */
  run(key: string, work: () => Promise<T>): Promise<T>;
  current(key: string): Promise<T> | undefined;
};

/** Shares one run of some work among concurrent callers with the same key. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const inFlight = new Map<string, Promise<T>>();
  return {
    run(key, work) {
      const running = inFlight.get(key) ?? work().finally(() => inFlight.delete(key));
      inFlight.set(key, running);
      return running;
    },
    current: (key) => inFlight.get(key),
  };
}

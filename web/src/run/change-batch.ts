/** Collects items that arrive one by one and delivers them in batches. */
export type ChangeBatch<T> = {
  push: (item: T) => void;
  /** Discards collected items and ignores new ones. */
  stop: () => void;
};

/** Ten updates per second look live; more would only slow down scrolling. */
export const BATCH_INTERVAL_MS = 100;

/**
 * Delivers items in arrival order: the first at once, then batches every `BATCH_INTERVAL_MS`. Uses timers, because
 * animation frames stop in a hidden tab, whose title must still update.
 */
export function createChangeBatch<T>(take: (items: T[]) => void): ChangeBatch<T> {
  let gathered: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;

  const handOn = (): void => {
    const items = gathered;
    gathered = [];
    timer = undefined;
    takenAt = performance.now();
    take(items);
  };
  let push = (item: T): void => {
    gathered.push(item);
    timer ??= setTimeout(handOn, Math.max(0, takenAt + BATCH_INTERVAL_MS - performance.now()));
  };
  return {
    push: (item) => push(item),
    stop: () => {
      clearTimeout(timer);
      gathered = [];
      push = () => {};
    },
  };
}

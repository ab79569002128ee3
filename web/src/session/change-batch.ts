/** Things that arrive one by one and are handed on together. */
export type ChangeBatch<T> = {
  push: (item: T) => void;
  /** Drops what has gathered and takes nothing more. */
  stop: () => void;
};

/** Ten times a second looks live; drawing oftener only takes time away from scrolling. */
export const BATCH_INTERVAL_MS = 100;

/**
 * Gathers what arrives faster than a screen needs to show it and hands it on in the order it came: the first at once,
 * what follows every `BATCH_INTERVAL_MS`. Timers, not frames: frames stop in a hidden tab, and its title goes on.
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

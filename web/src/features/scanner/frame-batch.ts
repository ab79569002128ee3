/** Things that are handed on together, once a frame at most. */
export type FrameBatch<T> = {
  push: (item: T) => void;
  /** Hands on at once what has gathered. */
  flush: () => void;
  /** Drops what has gathered and takes nothing more. */
  stop: () => void;
};

/** Frames stop in a hidden tab; what arrives there is handed on this often. */
const HIDDEN_TAB_MS = 500;

/**
 * Gathers what arrives faster than a screen can show it and hands it on once a frame, in the order it came.
 * In a hidden tab twice a second, so that the title and the announcements go on.
 */
export function createFrameBatch<T>(take: (items: T[]) => void): FrameBatch<T> {
  let gathered: T[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const unschedule = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = (): void => {
    unschedule();
    if (gathered.length === 0) return;
    const items = gathered;
    gathered = [];
    take(items);
  };
  return {
    push: (item) => {
      if (stopped) return;
      gathered.push(item);
      if (timer !== undefined) return;
      frame = requestAnimationFrame(flush);
      timer = setTimeout(flush, HIDDEN_TAB_MS);
    },
    flush,
    stop: () => {
      stopped = true;
      gathered = [];
      unschedule();
    },
  };
}

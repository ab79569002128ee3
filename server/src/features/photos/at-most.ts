/**
 * Creates a limiter that runs at most `width` jobs at a time, and at most `each` per caller (`who`). The waiting caller
 * with the fewest running jobs goes next; ties run in order of arrival.
 */
export function atMost(width: number, each = width): <T>(work: () => Promise<T>, who?: string) => Promise<T> {
  const running = new Map<string, number>();
  let waiting: { who: string; go: () => void }[] = [];
  let total = 0;
  const runningOf = (who: string): number => running.get(who) ?? 0;

  function change(who: string, by: 1 | -1): void {
    total += by;
    const left = runningOf(who) + by;
    if (left === 0) running.delete(who);
    else running.set(who, left);
  }

  function letNextGo(): void {
    const [next] = waiting
      .filter(({ who }) => runningOf(who) < each)
      .toSorted((one, other) => runningOf(one.who) - runningOf(other.who));
    if (!next) return;
    waiting = waiting.filter((one) => one !== next);
    change(next.who, 1);
    next.go();
  }

  return async (work, who = "") => {
    if (total >= width || runningOf(who) >= each) await new Promise<void>((go) => waiting.push({ who, go }));
    else change(who, 1);
    try {
      return await work();
    } finally {
      change(who, -1);
      letNextGo();
    }
  };
}

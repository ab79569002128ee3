import type { Budgets } from "./budgets.ts";

export type Release = () => void;

export type SharesOptions = {
  total: number;
  each: number;
  /** How many more requests of one person may wait. */
  waiting?: number;
  /** The longest wait. Without it, a wait ends with a place or with `gone`. */
  patienceMs?: number;
  /** The error if the person's own requests fill the queue, or if no place became free in time. */
  refuse?: (filledBy: "own requests" | "all requests") => Error;
  /** A person who has used up the budget must rest before the next place. */
  budgets?: Budgets;
  /**
   * If set, the time in a place, divided by the places in use, spends the budget, up to this much: in an outage, people
   * wait in their places for others' work. Otherwise, the work must spend the budget. Time in which a person must rest
   * doesn't count toward `patienceMs`, so that people get slow answers instead of errors.
   */
  mostMs?: number;
};

export type Shares = ReturnType<typeof createShares>;

/** Divides places among people. Free places rotate among waiting people, however many requests each sent. */
export function createShares(options: SharesOptions) {
  const { total, each, waiting = Infinity, patienceMs, budgets } = options;
  const { mostMs, refuse = () => new Error("No place became free") } = options;
  const taken = new Map<string, number>();
  let allInUse = 0;
  /** Who waits, in the order of their turns. A person who gets a place moves to the end. */
  const queues = new Map<string, (() => void)[]>();

  function take(person: string): Release {
    let isTaken = true;
    const takenAt = performance.now();
    allInUse += 1;
    taken.set(person, (taken.get(person) ?? 0) + 1);
    return () => {
      if (!isTaken) return;
      isTaken = false;
      if (mostMs !== undefined) budgets?.spend(person, Math.min(mostMs, (performance.now() - takenAt) / allInUse));
      allInUse -= 1;
      const left = (taken.get(person) ?? 1) - 1;
      if (left > 0) taken.set(person, left);
      else taken.delete(person);
      admitWaiting();
    };
  }

  function mayEnter(person: string): boolean {
    if (allInUse >= total || (taken.get(person) ?? 0) >= each) return false;
    if (!budgets?.mustRest(person)) return true;
    budgets.checkAgain(person, admitWaiting);
    return false;
  }

  function admitWaiting(): void {
    for (const [person, waiters] of queues) {
      if (!mayEnter(person)) continue;
      queues.delete(person);
      const [next, ...others] = waiters;
      if (others.length > 0) queues.set(person, others);
      next?.();
    }
  }

  function leaveQueue(person: string, begin: () => void): void {
    const others = (queues.get(person) ?? []).filter((one) => one !== begin);
    if (others.length > 0) queues.set(person, others);
    else queues.delete(person);
  }

  function wait(person: string, gone: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearInterval(timer);
        gone?.removeEventListener("abort", giveUp);
      };
      const begin = (): void => {
        end();
        resolve(take(person));
      };
      const giveUp = (): void => {
        end();
        leaveQueue(person, begin);
        reject(refuse("all requests"));
      };
      let hasRested = false;
      const check = (): void => {
        const rests = mostMs !== undefined && budgets?.mustRest(person) === true;
        if (!rests && !hasRested) giveUp();
        hasRested = rests;
      };
      const timer = patienceMs === undefined ? undefined : setInterval(check, patienceMs);
      gone?.addEventListener("abort", giveUp);
      queues.set(person, [...(queues.get(person) ?? []), begin]);
    });
  }

  /** Takes a place, or waits for one. The result gives the place back. @throws the error of `refuse` */
  async function enter(person: string, gone?: AbortSignal): Promise<Release> {
    if (gone?.aborted) throw refuse("all requests");
    const queue = queues.get(person);
    if (!queue && mayEnter(person)) return take(person);
    if ((queue?.length ?? 0) >= waiting) throw refuse("own requests");
    return wait(person, gone);
  }

  return {
    enter,
    async run<T>(person: string, work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
      const release = await enter(person, gone);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

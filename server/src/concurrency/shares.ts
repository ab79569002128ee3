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
  /** A person who has used up the budget must rest before the next place, and has one place at a time. */
  budgets?: Budgets;
  /**
   * If set, the time in a place, divided by the places in use, spends the budget, up to this much: in an outage, people
   * wait in their places for others' work. Otherwise, the work must spend the budget.
   */
  mostMs?: number;
  /**
   * `patienceMs` begins again after each rest, so that people get slow answers instead of errors. Only for requests that
   * hold nothing meanwhile.
   */
  outlastsRests?: boolean;
};

export type Shares = ReturnType<typeof createShares>;

/** Beyond this number of people, the oldest entry is dropped, and its person counts as new. */
const MOST_REMEMBERED = 1_000;

/** Remembers the order in which people got their latest place. */
function createOrder() {
  /** A running number for each person's latest place, lowest first. */
  const latest = new Map<string, number>();
  let places = 0;
  return {
    note(person: string): void {
      latest.delete(person);
      latest.set(person, (places += 1));
      const [oldest] = latest.keys();
      if (latest.size > MOST_REMEMBERED && oldest !== undefined) latest.delete(oldest);
    },
    /** Sorts people: new ones first, then by the age of their latest place, oldest first. */
    sorted: (people: Iterable<string>): string[] =>
      [...people].sort((one, other) => (latest.get(one) ?? 0) - (latest.get(other) ?? 0)),
  };
}

/** Divides places among people. A free place goes to the person whose latest place is the oldest, whatever each one sent. */
export function createShares(options: SharesOptions) {
  const { total, each, waiting = Infinity, patienceMs, budgets } = options;
  const { mostMs, outlastsRests = false, refuse = () => new Error("No place became free") } = options;
  const taken = new Map<string, number>();
  let allInUse = 0;
  /** Who waits, in the order in which they came. */
  const queues = new Map<string, (() => void)[]>();
  /** When those who wait last had to rest. */
  const restedAt = new Map<string, number>();
  const order = createOrder();

  function take(person: string): Release {
    let isTaken = true;
    const takenAt = performance.now();
    allInUse += 1;
    taken.set(person, (taken.get(person) ?? 0) + 1);
    order.note(person);
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
    const own = taken.get(person) ?? 0;
    if (allInUse >= total || own >= each || (own > 0 && budgets?.mustNotWorkInParallel(person))) return false;
    if (!budgets?.mustRest(person)) return true;
    restedAt.set(person, performance.now());
    budgets.checkAgain(person, admitWaiting);
    return false;
  }

  function admitWaiting(): void {
    if (allInUse >= total) return;
    const person = order.sorted(queues.keys()).find(mayEnter);
    const next = person === undefined ? undefined : queues.get(person)?.[0];
    if (person === undefined || next === undefined) return;
    leaveQueue(person, next);
    next();
    admitWaiting();
  }

  function leaveQueue(person: string, begin: () => void): void {
    const others = (queues.get(person) ?? []).filter((one) => one !== begin);
    if (others.length > 0) queues.set(person, others);
    else for (const ofPeople of [queues, restedAt]) ofPeople.delete(person);
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
      const check = (): void => {
        if (budgets?.mustRest(person)) restedAt.set(person, performance.now());
        if (!outlastsRests || performance.now() - (restedAt.get(person) ?? -Infinity) >= (patienceMs ?? 0)) giveUp();
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

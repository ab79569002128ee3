const RECENT_MS = 300;
/** How long after a person's request others who have used more of a budget rest for them. */
const LATELY_MS = 10_000;

/** The latest request, and the latest one of somebody else. */
let latest = { person: "", at: -Infinity };
let before = latest;
/** The time of each person's latest request, if it was lately, oldest first. */
const senders = new Map<string, number>();

const isLately = (at: number): boolean => performance.now() - at < LATELY_MS;

export function noteRequest(person: string): void {
  if (person !== latest.person) before = latest;
  latest = { person, at: performance.now() };
  senders.delete(person);
  senders.set(person, latest.at);
  for (const [sender, at] of senders) {
    if (isLately(at)) break;
    senders.delete(sender);
  }
}

/** True if someone else sent a request lately, by default in the last 300 ms. */
export function hasOthers(person: string, withinMs = RECENT_MS): boolean {
  const { at } = latest.person === person ? before : latest;
  return performance.now() - at < withinMs;
}

export type Budgets = ReturnType<typeof createBudgets>;

/** Everyday work takes at most this part of the burst in 20 s. */
const EVERYDAY = 0.15;
const MEASURED_MS = 20_000;
const CHECK_AGAIN_MS = 300;
/** Many clients wait at most five minutes for an answer. */
const LONGEST_REST_MS = 240_000;

/** `withinMs`: how long after other people's requests work costs more than the burst, and is done one thing at a time. */
type BudgetTerms = { burstMs: number; share: number; withinMs?: number };

/**
 * While other people send requests, limits each person's work: after a burst, to a share of the time. The burst refills.
 * People who have used more than half of their burst do one thing at a time. Their work costs twice as much while someone
 * else has used more than half, too, but no more than they have. They rest only for people who have used less. So the
 * person who has used the least never rests, and pays once. Someone who has done only everyday work lately pays once, too.
 */
export function createBudgets({ burstMs, share, withinMs = LATELY_MS }: BudgetTerms) {
  /** When each person's burst will be full again. */
  const fullAt = new Map<string, number>();
  /** How much each person has worked lately, and when that was noted. */
  const worked = new Map<string, { ms: number; at: number }>();
  const waiting = new Set<() => void>();
  const restMs = (person: string): number => (fullAt.get(person) ?? 0) - performance.now() - burstMs / share;

  const restsForOthers = (person: string): boolean =>
    [...senders].some(([other, at]) => isLately(at) && (fullAt.get(other) ?? 0) < (fullAt.get(person) ?? 0));

  const isHalfUsed = (at = 0): boolean => at > performance.now() + burstMs / share / 2;

  /** Whether someone else has used more than half of their burst, but no more than this. */
  const hasSharer = (person: string, use: number): boolean =>
    [...fullAt].some(([other, at]) => other !== person && isHalfUsed(at) && at <= use);

  /** Adds work. Returns whether the person did more than everyday work before it. */
  function addWork(person: string, ms: number, now: number): boolean {
    const last = worked.get(person) ?? { ms: 0, at: now };
    const before = last.ms * Math.exp((last.at - now) / MEASURED_MS);
    worked.set(person, { ms: before + ms, at: now });
    return before > EVERYDAY * burstMs;
  }

  function spend(person: string, ms: number): void {
    const now = performance.now();
    for (const [other, at] of fullAt) if (at <= now) for (const ofPeople of [fullAt, worked]) ofPeople.delete(other);
    const before = Math.max(fullAt.get(person) ?? 0, now);
    const cost = ms / share;
    const isMuch = addWork(person, ms, now);
    const isShared = isHalfUsed(before) && isMuch && hasSharer(person, before + cost);
    const after = before + (isShared ? 2 * cost : cost);
    // While nobody else sends requests, work never costs more than the burst.
    const burstUntil = now + burstMs / share;
    const most = hasOthers(person, withinMs) ? burstUntil + LONGEST_REST_MS : Math.max(before, burstUntil);
    fullAt.set(person, Math.min(after, most));
  }

  return {
    spend,
    /** Runs work and spends the time it took, at most `mostMs`. It must not include waits for other people's work. */
    async charge<T>(person: string, work: () => Promise<T>, mostMs = Infinity): Promise<T> {
      const startedAt = performance.now();
      return work().finally(() => spend(person, Math.min(mostMs, performance.now() - startedAt)));
    },

    mustRest: (person: string): boolean => restMs(person) > 0 && restsForOthers(person),
    /** Otherwise, all that waited during a rest would begin at once and slow others for that moment. */
    mustNotWorkInParallel: (person: string): boolean => isHalfUsed(fullAt.get(person)) && hasOthers(person, withinMs),

    /** Calls back soon, when the person may no longer have to rest. */
    checkAgain(person: string, check: () => void): void {
      if (waiting.has(check)) return;
      waiting.add(check);
      const checkAfterMs = Math.min(CHECK_AGAIN_MS, Math.max(1, restMs(person)));
      const timer = setTimeout(() => {
        waiting.delete(check);
        check();
      }, checkAfterMs);
      timer.unref();
    },
  };
}

/** The most that one read of a session's rows is charged, so that a slow server doesn't use up a person's budget. */
export const READING_MS = 300;
/** For all work that slows others. Allows the largest sheet and its table at once. */
export const heavyWork = createBudgets({ burstMs: 10_000, share: 0.1 });
/** For all other requests. Separate, so that exports and large sheets don't delay them. */
export const requests = createBudgets({ burstMs: 5_000, share: 0.15 });
/** For decoding beyond the first second of each image, so that one host's slow images don't occupy all decoders. */
export const slowImages = createBudgets({ burstMs: 10_000, share: 0.1 });
/**
 * For images, which a table loads by the hundred. Separate, so that they delay no other request. They always load in
 * parallel, because most of their time is the network's.
 */
export const imageLoads = {
  ...createBudgets({ burstMs: 3_000, share: 0.15 }),
  mustNotWorkInParallel: () => false,
};

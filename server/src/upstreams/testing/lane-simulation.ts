import { setImmediate } from "node:timers/promises";
import { createShares } from "../../concurrency/shares.ts";
import { createSlowCallers } from "../slow-callers.ts";

/** How long a card's calls take, by its index and the minute. */
export type Card = (index: number, minute: number) => number;
/** A person's large run, or single lookups. A card of a run that hangs is looked up again after these delays. */
export type Run = {
  name: string;
  card: Card;
  retriesAfterMs?: readonly number[];
  /** How many single lookups are open at a time, and the pause after each. */
  singles?: { atOnce: number; pauseMs: number };
};

type Job = { run: Run; index: number; attempt: number; place: number; startAfter: number; failures: number };

const CARDS = 1_000;
const HUNG_MS = 20_000;
const WORKERS = 2;
const FETCH_MS = 20;
const POLL_MS = 500;
const MOST_BACKOFF_MS = 30_000;
const JOBS_DELAYED_PER_MS = 0.2;

const jobsOf = (run: Run): Job[] =>
  Array.from({ length: CARDS }, (_, index) => ({ run, index, place: index, attempt: 0, startAfter: 0, failures: 0 }));

const backoffMs = ({ failures }: Job): number => Math.min(MOST_BACKOFF_MS, 1_000 * 2 ** failures);

/** Virtual time: `sleep` resolves when all that happens earlier has happened. */
function createClock() {
  let now = 0;
  const timers: { at: number; ring: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((ring) => void timers.push({ at: now + ms, ring })),
    async runUntil(end: number): Promise<void> {
      for (;;) {
        await setImmediate();
        const next = timers.reduce<(typeof timers)[number] | null>(
          (first, one) => (first && first.at <= one.at ? first : one),
          null,
        );
        if (!next || next.at > end) return;
        timers.splice(timers.indexOf(next), 1);
        now = next.at;
        next.ring();
      }
    },
  };
}

/**
 * Simulates a lane of one card at a time in virtual time: the workers that fetch jobs by place, for different people, the
 * slot that goes to people in turn, start times, and the waits after slow cards.
 */
export async function simulateLane(runs: readonly Run[], { minutes, delayMs }: { minutes: number; delayMs: number }) {
  const { now, sleep, runUntil } = createClock();
  const settled = new Map<string, number[]>(runs.map(({ name }) => [name, []]));
  const jobs = new Set(runs.flatMap((run) => (run.singles ? [] : jobsOf(run))));
  const retries = new Set<Job>();
  const listPeopleWithJobs = async () =>
    [...jobs, ...[...retries].filter(({ startAfter }) => startAfter <= now())].map(({ run }) => run.name);
  const closing = new AbortController().signal;
  const slow = createSlowCallers({ longCallMs: 2 * delayMs, delayMs, slots: 1, closing, listPeopleWithJobs, now });
  const slots = createShares({ total: 1, each: 1 });
  let startsAt = 0;
  let lanePlace = 0;

  /** Looks a card up in the lane. Returns the time of its calls; null if it must wait. */
  function pass({ run: { name, card }, index }: Job): Promise<number | null> {
    const visit = slow.arrive(name);
    const inSlot = async (): Promise<number | null> => {
      if ((await slow.waitMs(name)) > 0) return null;
      visit.enter();
      const ms = await lookUp(card, index);
      slow.note(name, ms);
      return ms;
    };
    return slots.run(name, inSlot).finally(visit.leave);
  }

  async function lookUp(card: Card, index: number): Promise<number> {
    await sleep(Math.max(0, startsAt - now()));
    startsAt = now() + delayMs;
    const ms = card(index, now() / 60_000);
    await sleep(ms);
    return ms;
  }

  function delay(queue: Set<Job>, name: string, ms: number): void {
    const own = [...queue].filter((job) => job.run.name === name && job.startAfter < now() + ms - 1_000);
    const until = now() + Math.max(ms, own.length / JOBS_DELAYED_PER_MS);
    for (const [rank, job] of own.toSorted((one, other) => one.place - other.place).entries()) {
      job.startAfter = until;
      if (queue === jobs) job.place = Math.max(job.place, lanePlace + rank);
    }
  }

  async function work(queue: Set<Job>, busy: Set<string>): Promise<void> {
    for (;;) {
      let job: Job | null = null;
      for (const one of queue)
        if (one.startAfter <= now() && !busy.has(one.run.name) && (job === null || one.place < job.place)) job = one;
      if (job === null) await sleep(POLL_MS);
      else await runJob(queue, busy, job);
    }
  }

  async function runJob(queue: Set<Job>, busy: Set<string>, job: Job): Promise<void> {
    const { run, attempt } = job;
    queue.delete(job);
    busy.add(run.name);
    await sleep(FETCH_MS);
    const waitMs = await slow.waitMs(run.name);
    if (waitMs > 0) delay(queue, run.name, waitMs);
    else if (queue === jobs) lanePlace = Math.max(lanePlace, job.place + 1);
    const ms = waitMs > 0 ? null : await pass(job);
    const retryAfterMs = ms !== null && ms >= HUNG_MS ? run.retriesAfterMs?.[attempt] : undefined;
    if (ms === null) queue.add({ ...job, startAfter: now() + backoffMs(job), failures: job.failures + 1 });
    else if (retryAfterMs === undefined) settled.get(run.name)?.push(now());
    else retries.add({ ...job, attempt: attempt + 1, startAfter: now() + retryAfterMs, failures: 0 });
    busy.delete(run.name);
  }

  async function lookUpSingles({ name }: Run, pauseMs: number, cards: Iterable<Job>): Promise<void> {
    for (const job of cards) {
      while ((await pass(job)) === null) while ((await slow.waitMs(name)) > 0) await sleep(1_000);
      settled.get(name)?.push(now());
      await sleep(pauseMs);
    }
  }

  for (const run of runs) {
    const { atOnce, pauseMs } = run.singles ?? { atOnce: 0, pauseMs: 0 };
    const cards = jobsOf(run).values();
    for (let n = 0; n < atOnce; n += 1) void lookUpSingles(run, pauseMs, cards);
  }
  for (const queue of [jobs, retries]) {
    const busy = new Set<string>();
    for (let n = 0; n < WORKERS; n += 1) void work(queue, busy);
  }
  await runUntil(minutes * 60_000);
  return { settledAt: (name: string): readonly number[] => settled.get(name) ?? [] };
}

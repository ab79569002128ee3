import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { fromKysely, PgBoss, type JobResult } from "pg-boss";
import { z } from "zod";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { DatabaseSettings, DatabaseTransaction } from "../database/connection.ts";
import type { Intervals } from "../intervals.ts";

/**
 * The registry of queues. Each look-up or price queue belongs to a lane. Jobs hold only a session id; the rows hold the
 * rest and refer to their job by id.
 */
export const LOOKUP_QUEUES = { psa: "lookup-psa", cgc: "lookup-cgc", tag: "lookup-tag" } as const;
export type LookupQueue = (typeof LOOKUP_QUEUES)[keyof typeof LOOKUP_QUEUES];
/** Retries of PSA cards that timed out, each with its delay. */
export const RETRY_QUEUE = "retry-psa";

/** Price queues of found cards, by price source. */
export const PRICE_QUEUES = {
  cardladder: "price-cardladder",
  cardsiq: "price-cardsiq",
} as const satisfies Record<PriceSourceName, string>;
export type PriceQueue = (typeof PRICE_QUEUES)[PriceSourceName];

/** Picture comparisons of found cards. */
const IMAGE_QUEUE = "compare-images";
/** The two pictures of a card, to be compared. */
export type ImageComparison = { company: string; certNumber: string; front: string; back: string };

export type JobData = { sessionId: string };
/** Returns the queue of a company's lane. */
export function lookupQueueOf(company: string): LookupQueue {
  switch (company) {
    case "PSA":
      return LOOKUP_QUEUES.psa;
    case "CGC":
      return LOOKUP_QUEUES.cgc;
    case "TAG":
      return LOOKUP_QUEUES.tag;
    default:
      throw new Error(`A row is waiting for a look-up at the unknown company ${company}`);
  }
}

export type NewJob = { id: string; queue: LookupQueue | PriceQueue; sessionId: string; priority: number };

export type Job = { id: string; data: JobData };
export type LookupHandler = (job: Job) => Promise<"done" | "again">;
/** Processes several jobs together. Returns the ids of the jobs to run again. */
export type PriceHandler = (jobs: readonly Job[]) => Promise<{ again: readonly string[] }>;

export type Jobs = {
  start(): Promise<void>;
  /** Stops fetching jobs, lets running ones finish within `timeoutMs`, and returns the rest to their queues. */
  stop(timeoutMs: number): Promise<void>;
  /** Adds jobs inside the caller's transaction. They exist only if it commits. */
  enqueue(trx: DatabaseTransaction, jobs: readonly NewJob[]): Promise<void>;
  /** Adds a retry of a PSA card that starts after `delayS` seconds, inside the caller's transaction. Returns its id. */
  enqueueRetry(trx: DatabaseTransaction, sessionId: string, delayS: number): Promise<string>;
  /** Adds a picture comparison inside the caller's transaction, unless the same one is already queued. */
  enqueueImageComparison(trx: DatabaseTransaction, look: ImageComparison): Promise<void>;
  /** Cancels jobs inside the caller's transaction. A running job finishes but finds no row to settle. */
  cancel(
    trx: DatabaseTransaction,
    queue: LookupQueue | PriceQueue | typeof RETRY_QUEUE,
    ids: readonly string[],
  ): Promise<void>;
  /** Counts the queued jobs that would start before a new one of this priority. */
  countAhead(queue: LookupQueue | PriceQueue, priority: number): Promise<number>;
  /**
   * Runs jobs of a queue, highest priority first, `width` at a time, usually `delayMs` apart. The handler runs at least
   * once per job, so its writes must be idempotent. If it returns "again" or throws, the job runs again later.
   */
  workLookups(
    queue: LookupQueue | typeof RETRY_QUEUE,
    options: { width: number; delayMs: number },
    handler: LookupHandler,
  ): Promise<void>;
  /** Like `workLookups`, for prices: `width` batches at a time, each of up to `together` jobs. */
  workPrices(
    queue: PriceQueue,
    options: { width: number; delayMs: number; together: number },
    handler: PriceHandler,
  ): Promise<void>;
  /** Runs picture comparisons, a few per second. If one returns "again", it runs again minutes later, twice at most. */
  workImageComparisons(handler: (look: ImageComparison) => Promise<"done" | "again">): Promise<void>;
};

type JobIntervals = Pick<Intervals, "jobsMs" | "deadJobsMs" | "pictureJobsMs">;

const SCHEMA = "jobs";
const DAY_S = 86_400;
const CHUNK = 5_000;

const QUEUE_OPTIONS = {
  // A worker without a heartbeat is dead. Its jobs run again.
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
  // Only outages of our own fail a look-up job, and they are temporary.
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  retentionSeconds: 365 * DAY_S,
  deleteAfterSeconds: DAY_S,
  notify: true,
};

/** Comparisons are not urgent: they use polling instead of notifications, and a job is dropped after three failures. */
const IMAGE_QUEUE_OPTIONS = {
  ...QUEUE_OPTIONS,
  retryLimit: 2,
  retryDelay: 60,
  retryDelayMax: 900,
  retentionSeconds: 7 * DAY_S,
  notify: false,
};
/** One batch per second: three times the usual output of three lanes, at little CPU cost (decision 0051). */
const IMAGE_WORK = { batchSize: 2, perJobResults: true, includeMetadata: true } as const;
const IMAGES_AT_ONCE = 2;

export function createJobs(settings: DatabaseSettings, report: (error: Error) => void, intervals: JobIntervals): Jobs {
  const boss = new PgBoss({
    ...settings,
    schema: SCHEMA,
    application_name: "slabdesk-jobs",
    max: 6,
    useListenNotify: true,
    superviseIntervalSeconds: intervals.deadJobsMs / 1_000,
    monitorIntervalSeconds: intervals.deadJobsMs / 1_000,
    schedule: false,
  });
  boss.on("error", report);

  return {
    async start() {
      await boss.start();
      for (const queue of [...Object.values(LOOKUP_QUEUES), RETRY_QUEUE, ...Object.values(PRICE_QUEUES)]) {
        await boss.createQueue(queue, QUEUE_OPTIONS);
        // An existing queue from an earlier version keeps its options until they are updated.
        await boss.updateQueue(queue, QUEUE_OPTIONS);
      }
      await boss.createQueue(IMAGE_QUEUE, { ...IMAGE_QUEUE_OPTIONS, policy: "short" });
      await boss.updateQueue(IMAGE_QUEUE, IMAGE_QUEUE_OPTIONS);
    },
    async stop(timeoutMs) {
      await boss.stop({ graceful: true, timeout: timeoutMs });
    },
    async enqueue(trx, jobs) {
      for (const [queue, list] of Map.groupBy(jobs, (job) => job.queue)) {
        for (const chunk of chunksOf(list)) {
          const inserts = chunk.map(({ id, priority, sessionId }) => ({
            id,
            priority,
            data: { sessionId } satisfies JobData,
          }));
          await boss.insert(queue, inserts, { db: fromKysely(trx) });
        }
      }
    },
    async enqueueRetry(trx, sessionId, delayS) {
      const data = { sessionId } satisfies JobData;
      const id = await boss.send(RETRY_QUEUE, data, { startAfter: delayS, db: fromKysely(trx) });
      if (id === null) throw new Error(`Could not add a job to the queue ${RETRY_QUEUE}`);
      return id;
    },
    async enqueueImageComparison(trx, look) {
      const { company, certNumber, front, back } = look;
      const singletonKey = createHash("sha256").update([company, certNumber, front, back].join("\n")).digest("hex");
      await boss.insert(IMAGE_QUEUE, [{ data: look, singletonKey }], { db: fromKysely(trx) });
    },
    async countAhead(queue, priority) {
      const { rows } = await boss
        .getDb()
        .executeSql(
          `SELECT count(*)::int AS count FROM ${SCHEMA}.job WHERE name = $1 AND state < 'active' AND priority >= $2`,
          [queue, priority],
        );
      return z.array(z.object({ count: z.number() })).parse(rows)[0]?.count ?? 0;
    },
    async cancel(trx, queue, ids) {
      for (const chunk of chunksOf(ids)) await boss.cancel(queue, chunk, { db: fromKysely(trx) });
    },
    ...workersOf(boss, report, intervals),
  };
}

function workersOf(
  boss: PgBoss,
  report: (error: Error) => void,
  { jobsMs, pictureJobsMs }: JobIntervals,
): Pick<Jobs, "workLookups" | "workPrices" | "workImageComparisons"> {
  const workOptions = { ...WORK_OPTIONS, notifyPollingIntervalSeconds: jobsMs / 1_000 };
  return {
    async workLookups(queue, { width, delayMs }, handler) {
      const options = { ...workOptions, batchSize: batchesOf(width, delayMs) };
      await boss.work<JobData, unknown, WorkOptions>(queue, options, async (jobs) => {
        const done = new Set<string>();
        await inParallel(byUrgency(jobs), width, report, async (job) => {
          if ((await handler(job)) === "done") done.add(job.id);
        });
        return resultsOf(jobs, done);
      });
    },
    async workPrices(queue, { width, delayMs, together }, handler) {
      const options = { ...workOptions, batchSize: together * batchesOf(width, delayMs) };
      await boss.work<JobData, unknown, WorkOptions>(queue, options, async (jobs) => {
        const done = new Set<string>();
        await inParallel(chunksOf(byUrgency(jobs), together), width, report, async (group) => {
          const { again } = await handler(group);
          for (const { id } of group) if (!again.includes(id)) done.add(id);
        });
        return resultsOf(jobs, done);
      });
    },
    async workImageComparisons(handler) {
      const options = { ...IMAGE_WORK, pollingIntervalSeconds: pictureJobsMs / 1_000 };
      await boss.work<ImageComparison, unknown, typeof options>(IMAGE_QUEUE, options, async (jobs) => {
        const done = new Set<string>();
        await inParallel(jobs, IMAGES_AT_ONCE, report, async ({ id, data }) => {
          if ((await handler(data)) === "done") done.add(id);
        });
        return resultsOf(jobs, done);
      });
    },
  };
}

/** From this delay on, a worker's pause between batches (one second at most) doesn't slow the lane. */
const CALM_DELAY_MS = 1_000;

/**
 * An urgent card can't join a batch that is already fetched, so batches are as small as possible: the number of jobs
 * that run at once. Without a delay it is twice that, because pg-boss pauses after a batch of one job.
 */
function batchesOf(width: number, delayMs: number): number {
  return delayMs >= CALM_DELAY_MS ? width : width * 2;
}

const WORK_OPTIONS = {
  burstWhenBatchFull: true,
  includeMetadata: true,
  perJobResults: true,
  pollingIntervalSeconds: 0.5,
} as const;
type WorkOptions = typeof WORK_OPTIONS & { batchSize: number; notifyPollingIntervalSeconds: number };

/** Sorts by priority. A fetched batch holds the most urgent jobs in no particular order. */
function byUrgency<T extends { priority: number }>(jobs: readonly T[]): T[] {
  return jobs.toSorted((a, b) => b.priority - a.priority);
}

function chunksOf<T>(list: readonly T[], size = CHUNK): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
}

/** Processes a list in order, `width` items at a time. Reports errors. */
async function inParallel<T>(
  list: readonly T[],
  width: number,
  report: (error: Error) => void,
  work: (item: T) => Promise<void>,
): Promise<void> {
  await pLimit(width).map(list, async (item) => {
    try {
      await work(item);
    } catch (error) {
      report(error instanceof Error ? error : new Error("A job failed", { cause: error }));
    }
  });
}

function resultsOf(jobs: readonly Pick<Job, "id">[], done: ReadonlySet<string>): JobResult[] {
  return jobs.map(({ id }) => ({ id, status: done.has(id) ? "completed" : "failed" }));
}

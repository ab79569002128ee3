import { createHash } from "node:crypto";
import { fromKysely, PgBoss, type JobResult } from "pg-boss";
import { z } from "zod";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { DatabaseSettings, DatabaseTransaction } from "../database/connection.ts";
import type { Intervals } from "../intervals.ts";

/**
 * The registry of queues. A look-up or price queue belongs to a lane; its jobs are tiny, as the rows they settle hold
 * all else and name the job by its id.
 */
export const LOOKUP_QUEUES = { psa: "lookup-psa", cgc: "lookup-cgc", tag: "lookup-tag" } as const;
export type LookupQueue = (typeof LOOKUP_QUEUES)[keyof typeof LOOKUP_QUEUES];
/** PSA cards that were not answered in time, each with its delay. */
export const RETRY_QUEUE = "retry-psa";

/** Prices of cards that were found, by their source. */
export const PRICE_QUEUES = {
  cardladder: "price-cardladder",
  cardsiq: "price-cardsiq",
} as const satisfies Record<PriceSourceName, string>;
export type PriceQueue = (typeof PRICE_QUEUES)[PriceSourceName];

/** Cards that were found, whose pictures somebody is to look at. */
const IMAGE_QUEUE = "compare-images";
/** The two pictures of a card. */
export type ImageComparison = { company: string; certNumber: string; front: string; back: string };

export type JobData = { sessionId: string };
/** The queue of a company's lane. */
export function lookupQueueOf(company: string): LookupQueue {
  switch (company) {
    case "PSA":
      return LOOKUP_QUEUES.psa;
    case "CGC":
      return LOOKUP_QUEUES.cgc;
    case "TAG":
      return LOOKUP_QUEUES.tag;
    default:
      throw new Error(`A row that waits for its look-up names the company ${company}`);
  }
}

export type NewJob = { id: string; queue: LookupQueue | PriceQueue; sessionId: string; priority: number };

export type Job = { id: string; data: JobData };
export type LookupHandler = (job: Job) => Promise<"done" | "again">;
/** Works some jobs together; answers the ids of those to be taken up again. */
export type PriceHandler = (jobs: readonly Job[]) => Promise<{ again: readonly string[] }>;

export type Jobs = {
  start(): Promise<void>;
  /** Stops taking jobs, lets those under way end within `timeoutMs`, gives the rest back. */
  stop(timeoutMs: number): Promise<void>;
  /** Adds jobs inside the caller's transaction: they exist if and only if it commits. */
  enqueue(trx: DatabaseTransaction, jobs: readonly NewJob[]): Promise<void>;
  /** Adds one retry of a PSA card, to be begun after so many seconds, inside the caller's transaction; answers its id. */
  enqueueRetry(trx: DatabaseTransaction, sessionId: string, delayS: number): Promise<string>;
  /** Adds one look at a card's pictures inside the caller's transaction, unless one is waiting to begin. */
  enqueueImageComparison(trx: DatabaseTransaction, look: ImageComparison): Promise<void>;
  /** Takes jobs back inside the caller's transaction; one in hand ends, and finds nothing of its own to settle. */
  cancel(
    trx: DatabaseTransaction,
    queue: LookupQueue | PriceQueue | typeof RETRY_QUEUE,
    ids: readonly string[],
  ): Promise<void>;
  /** How many jobs of a queue would be begun before a new one of this priority. */
  countAhead(queue: LookupQueue | PriceQueue, priority: number): Promise<number>;
  /**
   * Takes jobs of a queue, highest priority first, `width` at a time, `delayMs` apart as a rule. The handler is called at least once for each
   * job, so what it writes must be idempotent; when it answers "again" or throws, the job is taken up again later.
   */
  workLookups(
    queue: LookupQueue | typeof RETRY_QUEUE,
    options: { width: number; delayMs: number },
    handler: LookupHandler,
  ): Promise<void>;
  /** The same for prices: `width` batches at a time, of up to `together` jobs each. */
  workPrices(
    queue: PriceQueue,
    options: { width: number; delayMs: number; together: number },
    handler: PriceHandler,
  ): Promise<void>;
  /** Takes looks at pictures, a few a second. One that is answered "again" comes back some minutes later, twice at most. */
  workImageComparisons(handler: (look: ImageComparison) => Promise<"done" | "again">): Promise<void>;
};

type JobIntervals = Pick<Intervals, "jobsMs" | "deadJobsMs" | "pictureJobsMs">;

const SCHEMA = "jobs";
const DAY_S = 86_400;
const CHUNK = 5_000;

const QUEUE_OPTIONS = {
  // A worker that stops beating has died; its jobs are taken up again.
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
  // Only our own outages fail a look-up job, and they pass.
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  retentionSeconds: 365 * DAY_S,
  deleteAfterSeconds: DAY_S,
  notify: true,
};

/** Nobody waits for them: no notification hurries them along, and what fails three times is let go. */
const IMAGE_QUEUE_OPTIONS = {
  ...QUEUE_OPTIONS,
  retryLimit: 2,
  retryDelay: 60,
  retryDelayMax: 900,
  retentionSeconds: 7 * DAY_S,
  notify: false,
};
/** A batch a second: three times what three lanes find at their usual pace, and a small part of a processor (decision 0051). */
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
        // A queue made by an earlier version keeps its options until they are set.
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
      if (id === null) throw new Error(`The queue ${RETRY_QUEUE} took no job`);
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

/** From this delay on a worker's pause between batches (a second at most) costs nothing. */
const CALM_DELAY_MS = 1_000;

/**
 * A batch in hand is not open to a more urgent card, so it is as small as can be: what is under way at once. Without
 * a delay it is twice that, as only batches of two and more are followed by the next one without a pause.
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

/** A batch holds the most urgent jobs, in no order. */
function byUrgency<T extends { priority: number }>(jobs: readonly T[]): T[] {
  return jobs.toSorted((a, b) => b.priority - a.priority);
}

function chunksOf<T>(list: readonly T[], size = CHUNK): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
}

/** Works through a list `width` at a time, in order; what is thrown is reported. */
async function inParallel<T>(
  list: readonly T[],
  width: number,
  report: (error: Error) => void,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...list];
  const runner = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      try {
        await work(item);
      } catch (error) {
        report(error instanceof Error ? error : new Error("A job failed", { cause: error }));
      }
    }
  };
  await Promise.all(Array.from({ length: width }, runner));
}

function resultsOf(jobs: readonly Pick<Job, "id">[], done: ReadonlySet<string>): JobResult[] {
  return jobs.map(({ id }) => ({ id, status: done.has(id) ? "completed" : "failed" }));
}

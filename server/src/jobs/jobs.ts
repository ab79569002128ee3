import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import pLimit from "p-limit";
import { fromKysely, PgBoss, type JobWithMetadata, type WorkOptions } from "pg-boss";
import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { RowStatus } from "@slabdesk/contract/api/results.ts";
import { SOURCE_NAMES, type SourceName } from "@slabdesk/contract/api/sources.ts";
import { chunksOf } from "../concurrency/chunks.ts";
import type { Database, DatabaseSettings, DatabaseTransaction } from "../database/connection.ts";
import { numberOf, valuesOf } from "../database/statements.ts";
import type { Intervals } from "../intervals.ts";
import { LANE_OF } from "../upstreams/endpoint.ts";
import { createWakers, type Wakers } from "./wakers.ts";

/** Queues of the lanes. Jobs hold only a session id; the rows hold the rest and refer to their job by id. */
const LOOKUP_QUEUES = { psa: "lookup-psa", cgc: "lookup-cgc", tag: "lookup-tag" } as const;
export const RETRY_QUEUE = "retry-psa";

export const PRICE_QUEUES = {
  cardladder: "price-cardladder",
  cardsiq: "price-cardsiq",
} as const satisfies Record<PriceSourceName, string>;

const QUEUE_OF: Record<SourceName, AnyQueue> = { ...LOOKUP_QUEUES, ...PRICE_QUEUES };

const IMAGE_QUEUE = "compare-images";
export type ImageComparison = { company: string; certNumber: string; front: string; back: string };

type LookupQueue = (typeof LOOKUP_QUEUES)[keyof typeof LOOKUP_QUEUES];
type PriceQueue = (typeof PRICE_QUEUES)[PriceSourceName];
/** `userId`: the person who shares the queue's workers with other people. */
type NewJob = { id: string; queue: LookupQueue | PriceQueue; sessionId: string; place: number; userId: string };
type NewRetry = { sessionId: string; place: number; delayS: number; userId: string };
type AnyQueue = LookupQueue | PriceQueue | typeof RETRY_QUEUE;
type JobData = { sessionId: string };
export type Job = { id: string; name: string; data: JobData; priority: number };
export type Jobs = ReturnType<typeof createJobs>;

export function lookupQueueOf(company: string): LookupQueue {
  const known = parseCompany(company);
  if (!known) throw new Error(`A row is waiting for a lookup at the unknown company ${company}`);
  return LOOKUP_QUEUES[LANE_OF[known]];
}

type JobIntervals = Pick<Intervals, "jobsMs" | "deadJobsMs" | "imageJobsMs">;

const SCHEMA = "jobs";
const DAY_S = 86_400;
/** Nothing reads an ended job. A stop and a resume of a large session leave 50 MB of them. */
const KEEP_ENDED_S = 3_600;
const DELETE_ENDED_EVERY_S = 600;
const CHUNK = 5_000;
/** So that a person with many jobs doesn't make the database busy. */
const MOST_DELAYED = 5_000;
const MOST_DELAYED_PER_S = 200;

const QUEUE_OPTIONS = {
  // A worker without a heartbeat is dead. Its jobs run again.
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
  // Only outages of our own fail a lookup job, and they are temporary.
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  retentionSeconds: 365 * DAY_S,
  deleteAfterSeconds: KEEP_ENDED_S,
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
/** Two workers, each a card a second: three times the usual output of three lanes, at little CPU cost (decision 0051). */
const COMPARISONS_AT_ONCE = 2;
const COMPARISONS_APART_MS = 1_000;

export function createJobs(settings: DatabaseSettings, report: (error: Error) => void, intervals: JobIntervals) {
  const boss = new PgBoss({
    ...settings,
    schema: SCHEMA,
    application_name: "slabdesk-jobs",
    max: 6,
    useListenNotify: true,
    superviseIntervalSeconds: intervals.deadJobsMs / 1_000,
    monitorIntervalSeconds: intervals.deadJobsMs / 1_000,
    maintenanceIntervalSeconds: DELETE_ENDED_EVERY_S,
    schedule: false,
  });
  boss.on("error", report);
  const wakers = createWakers(boss);

  return {
    async start(): Promise<void> {
      await boss.start();
      for (const queue of [...Object.values(LOOKUP_QUEUES), RETRY_QUEUE, ...Object.values(PRICE_QUEUES)]) {
        await boss.createQueue(queue, QUEUE_OPTIONS);
        // An existing queue from an earlier version keeps its options until they are updated.
        await boss.updateQueue(queue, QUEUE_OPTIONS);
      }
      await boss.createQueue(IMAGE_QUEUE, { ...IMAGE_QUEUE_OPTIONS, policy: "short" });
      await boss.updateQueue(IMAGE_QUEUE, IMAGE_QUEUE_OPTIONS);
    },

    /** Stops fetching jobs, lets running ones finish within `timeoutMs`, and returns the rest to their queues. */
    async stop(timeoutMs: number): Promise<void> {
      await boss.stop({ graceful: true, timeout: timeoutMs });
    },

    ...changesOf(boss, wakers),
    ...workersOf(boss, wakers, report, intervals),

    /** Counts the queued jobs that would start before a new one at this place. */
    countAhead(db: Database, queue: LookupQueue | PriceQueue, place: number): Promise<number> {
      return numberOf(db)`
        SELECT count(*)::int FROM ${sql.table(`${SCHEMA}.job`)}
        WHERE name = ${queue} AND state < 'active' AND NOT blocked AND priority >= ${-place}`;
    },
  };
}

/** The lane whose place the jobs of a queue count from. Retries have places of their own. */
function laneOf(queue: string): SourceName | null {
  return SOURCE_NAMES.find((lane) => QUEUE_OF[lane] === queue) ?? null;
}

/** The people with jobs for a lane, including delayed ones. Retries of PSA cards count shortly before they are due. */
export function listPeopleWithJobs(db: Database, lane: SourceName): Promise<string[]> {
  const retries = lane === "psa" ? RETRY_QUEUE : null;
  return valuesOf<string>(db)`
    SELECT DISTINCT group_id FROM ${sql.table(`${SCHEMA}.job`)}
    WHERE state < 'active' AND NOT blocked AND group_id IS NOT NULL
      AND (name = ${QUEUE_OF[lane]} OR (name = ${retries} AND start_after <= now() + interval '15 seconds'))`;
}

/** What callers do to the queues inside their own transactions. It takes effect only if they commit. */
function changesOf(boss: PgBoss, wakers: Wakers) {
  return {
    async enqueue(trx: DatabaseTransaction, jobs: readonly NewJob[]): Promise<void> {
      for (const [queue, list] of Map.groupBy(jobs, (job) => job.queue)) {
        for (const chunk of chunksOf(list, CHUNK)) {
          const inserts = chunk.map(({ id, place, userId, sessionId }) => {
            return { id, priority: -place, group: { id: userId }, data: { sessionId } };
          });
          await boss.insert(queue, inserts, { db: fromKysely(trx) });
        }
      }
    },

    /** Adds a retry of a PSA card that starts after `delayS` seconds. Returns its id. */
    async enqueueRetry(trx: DatabaseTransaction, { sessionId, place, delayS, userId }: NewRetry): Promise<string> {
      const options = { priority: -place, startAfter: delayS, group: { id: userId }, db: fromKysely(trx) };
      const id = await boss.send(RETRY_QUEUE, { sessionId }, options);
      if (id === null) throw new Error(`Could not add a job to the queue ${RETRY_QUEUE}`);
      return id;
    },

    /** Adds image comparisons that are not already queued, for a person's cards. */
    async enqueueImageComparisons(
      trx: DatabaseTransaction,
      userId: string,
      comparisons: readonly ImageComparison[],
    ): Promise<void> {
      const inserts = comparisons.map((data) => {
        const { company, certNumber, front, back } = data;
        const key = [company, certNumber, front, back].join("\n");
        return { data, group: { id: userId }, singletonKey: createHash("sha256").update(key).digest("hex") };
      });
      if (inserts.length > 0) await boss.insert(IMAGE_QUEUE, inserts, { db: fromKysely(trx) });
    },

    /**
     * Delays a person's waiting jobs, at most those of the next MOST_DELAYED cards. Many jobs are delayed longer, so that
     * short waits don't update them all the time. Jobs behind the lane's place move up to it, one at each place: otherwise,
     * after the wait, they would all go before other people's.
     */
    async delay(db: Database, queue: string, userId: string, ms: number): Promise<void> {
      const table = sql.table(`${SCHEMA}.job`);
      const startAfter = sql`now() + make_interval(secs => ${ms / 1_000})`;
      const { rows } = await sql<{ ms: number }>`
        WITH waiting AS (
          SELECT id, priority FROM ${table}
          WHERE name = ${queue} AND group_id = ${userId} AND state < 'active'
            AND start_after < ${startAfter} - interval '1 second'
          ORDER BY priority DESC LIMIT ${MOST_DELAYED} FOR UPDATE SKIP LOCKED
        ), moved AS (
          SELECT id, row_number() OVER (ORDER BY priority DESC) - 1 AS turn,
            make_interval(secs => count(*) OVER () / ${MOST_DELAYED_PER_S}::float8) AS least
          FROM waiting
        )
        UPDATE ${table} AS job
        SET start_after = greatest(${startAfter}, now() + moved.least),
          priority = least(job.priority, -(SELECT place FROM lanes WHERE name = ${laneOf(queue)}) - moved.turn)
        FROM moved WHERE job.name = ${queue} AND job.id = moved.id
        RETURNING (extract(epoch FROM job.start_after - now()) * 1000)::float8 AS ms`.execute(db);
      if (rows[0]) wakers.wakeAfter(queue, rows[0].ms);
    },

    /** Cancels jobs by deleting them. A running job finishes but finds no row to settle. */
    async cancel(trx: DatabaseTransaction, queue: AnyQueue, ids: readonly string[]): Promise<void> {
      for (const chunk of chunksOf(ids, CHUNK)) await boss.deleteJob(queue, chunk, { db: fromKysely(trx) });
    },
  };
}

/** `together`: the number of cards per call, 1 by default. */
export type Pace = { width: number; delayMs: number; together?: number };
type Fetching = { batchSize: number; workers: number; localGroupConcurrency?: number };
type Verdict = "done" | "again";

/**
 * Runs jobs of a queue, lowest place first, `width` at a time, usually `delayMs` apart, each at least once, so its
 * writes must be idempotent. If a handler returns "again" or throws, the job runs again later.
 */
function workersOf(
  boss: PgBoss,
  wakers: Wakers,
  report: (error: Error) => void,
  { jobsMs, imageJobsMs }: JobIntervals,
) {
  const notified = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: jobsMs / 1_000 };

  /**
   * Runs the fetched jobs in groups. The handler returns the ids of those to run again. With `workers`, each worker
   * fetches its next jobs immediately; otherwise, one worker fetches jobs at intervals.
   */
  async function work<Data>(
    queue: string,
    options: WorkOptions,
    { width, together = 1, workers }: { width: number; together?: number; workers?: number },
    handler: (group: JobWithMetadata<Data>[]) => Promise<readonly string[]>,
  ): Promise<void> {
    const all = { ...options, includeMetadata: true, perJobResults: true } as const;
    for (let n = 0; n < (workers ?? 1); n += 1) {
      const worker: Promise<string> = boss.work<Data, unknown, typeof all>(queue, all, async (jobs) => {
        const done = new Set<string>();
        // A fetched batch holds the most urgent jobs in no particular order.
        const byUrgency = jobs.toSorted((a, b) => b.priority - a.priority);
        await pLimit(width).map(chunksOf(byUrgency, together), async (group) => {
          try {
            const again = await handler(group);
            for (const { id } of group) if (!again.includes(id)) done.add(id);
          } catch (error) {
            report(error instanceof Error ? error : new Error("A job failed", { cause: error }));
          }
        });
        // pg-boss itself would pause after a batch of one job, or one that isn't full.
        if (workers !== undefined) boss.notifyWorker(await worker);
        return jobs.map(({ id }) => ({ id, status: done.has(id) ? "completed" : "failed" }));
      });
      wakers.add(queue, await worker);
    }
  }

  return {
    async workLookups(queue: LookupQueue | typeof RETRY_QUEUE, pace: Pace, handler: (job: Job) => Promise<Verdict>) {
      const { workers, ...fetching } = fetchingOf(pace);
      await work<JobData>(queue, { ...notified, ...fetching }, { width: pace.width, workers }, (group) =>
        unfinished(group, handler),
      );
    },

    /** Runs `width` batches at a time, each of up to `together` jobs. The handler returns the ids to run again. */
    async workPrices(
      queue: PriceQueue,
      pace: Pace & { together: number },
      handler: (jobs: readonly Job[]) => Promise<{ again: readonly string[] }>,
    ): Promise<void> {
      const { workers, ...fetching } = fetchingOf(pace);
      const take = async (group: Job[]) => (await handler(group)).again;
      await work<JobData>(queue, { ...notified, ...fetching }, { ...pace, workers }, take);
    },

    /**
     * Runs image comparisons, two per second, and one at a time of each person. If one returns "again", it runs minutes
     * later, twice at most.
     */
    async workImageComparisons(handler: (comparison: ImageComparison) => Promise<Verdict>): Promise<void> {
      const options = { batchSize: 1, localGroupConcurrency: 1, pollingIntervalSeconds: imageJobsMs / 1_000 };
      await work<ImageComparison>(IMAGE_QUEUE, options, { width: 1, workers: COMPARISONS_AT_ONCE }, async (group) => {
        const [again] = await Promise.all([
          unfinished(group, ({ data }) => handler(data)),
          pause(COMPARISONS_APART_MS),
        ]);
        return again;
      });
    },
  };
}

/** From this delay on, fetching the next job doesn't slow the lane. */
const CALM_DELAY_MS = 1_000;

/** An urgent card can't join a fetched batch, so batches are as small as possible: the jobs that run at once, or twice that. */
const batchesOf = ({ width, delayMs }: Pace): number => (delayMs >= CALM_DELAY_MS ? width : width * 2);

/** Two people's jobs keep a lane busy. Jobs of people who must wait after slow cards go back to the queue (`delay`). */
const PEOPLE_WITH_FETCHED_JOBS = 2;

/**
 * Workers fetch in turn: the jobs of one wait for the lane before the others' last ones end. So the lane never idles, and
 * it can choose between the owners of runs and people with single lookups. In a lane of one card at a time with a delay of
 * at least a second, each worker's job belongs to another person. Without a delay, it has one worker, which keeps the order
 * of its two jobs. A job of a call for several cards never waits long (`delay`), so one worker is enough.
 */
function fetchingOf(pace: Pace): Fetching {
  const { together = 1 } = pace;
  if (together > 1) return { batchSize: together * batchesOf(pace), workers: 1 };
  if (fetchesByPerson(pace)) return { batchSize: 1, workers: PEOPLE_WITH_FETCHED_JOBS, localGroupConcurrency: 1 };
  return pace.width > 1 ? { batchSize: pace.width, workers: 2 } : { batchSize: batchesOf(pace), workers: 1 };
}

/** Whether a lane's fetched jobs belong to different people. */
const fetchesByPerson = ({ width, delayMs, together = 1 }: Pace): boolean =>
  width === 1 && delayMs >= CALM_DELAY_MS && together === 1;

/**
 * The name under which a run's card takes turns in a lane. If fetched jobs may all belong to one person, their runs don't
 * share a turn with their single lookups. Otherwise, other people's cards would wait for those lookups before being fetched.
 */
export const runSharesAs = (userId: string, pace: Pace): string => (fetchesByPerson(pace) ? userId : `${userId} runs`);

async function unfinished<J extends { id: string }>(jobs: readonly J[], handler: (job: J) => Promise<Verdict>) {
  const again: string[] = [];
  for (const job of jobs) if ((await handler(job)) === "again") again.push(job.id);
  return again;
}

/** A row's job. The job of a `queued` row is in PSA's retry queue. */
export type LookupJob = { job_id: string | null; grading_company: string; status: RowStatus };

/** Cancels the lookup jobs of these rows that have not started. A started job ends without an open row. */
export async function cancelLookups(
  jobs: Pick<Jobs, "cancel">,
  trx: DatabaseTransaction,
  unneeded: readonly LookupJob[],
): Promise<void> {
  const withJob = unneeded.filter((row) => row.job_id !== null);
  const queueOf = (row: LookupJob) => (row.status === "queued" ? RETRY_QUEUE : lookupQueueOf(row.grading_company));
  for (const [queue, list] of Map.groupBy(withJob, queueOf))
    await jobs.cancel(trx, queue, [...new Set(list.flatMap((row) => row.job_id ?? []))]);
}

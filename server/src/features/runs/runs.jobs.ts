import type { Mode } from "@slabdesk/contract/api/cards.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { createBatches } from "../../concurrency/batches.ts";
import { pause } from "../../concurrency/repeat.ts";
import { BusyError, isUnstorable } from "../../database/connection.ts";
import type { Found, NotFound } from "../../graders/grader.ts";
import { lookupQueueOf, RETRY_QUEUE, runSharesAs, type Job, type Pace } from "../../jobs/jobs.ts";
import { LANE_OF } from "../../upstreams/endpoint.ts";
import { LaneClosedError } from "../../upstreams/lane-slots.ts";
import { onBehalfOf } from "../../upstreams/on-behalf-of.ts";
import type { LookUpInLane } from "../certs/certs.service.ts";
import type { Attempt, Waits } from "../certs/lookup.service.ts";
import * as rows from "./rows.repo.ts";
import * as changes from "../sessions/session-changes.service.ts";
import { requestImageComparisons } from "../photos/comparison.service.ts";
import { requestPrices } from "../prices/price-requests.service.ts";
import { queuedColumns, queueFailureOf, settlementOf, type Settlement } from "./row-columns.rules.ts";
import { deferCard, endClosedCards, enqueueRetry, ifRunning, type RunContext } from "./row-transactions.service.ts";

/*
 * A row stores the id of the job that can settle it (`job_id`). The lifecycle of a lookup job:
 *
 *   wait for the lane → claim (rows `processing`) → call the grader → settle (`completed` or `error`, `job_id` null)
 *                                                       ↘ PSA times out: rows `queued`, a retry job replaces this one
 *       ↘ all endpoints are paused: rows `waiting` without a job until `wakeWaiting` enqueues one
 *       ↘ all endpoints are closed: all open rows that use them end
 *
 * Delivery is at least once. A job that finds no open row returns: the row was settled, or another job replaced this
 * one. If the session was stopped, the job sets its rows back to `pending` and ends.
 *
 * Jobs of a session that claim or settle while another transaction of the session is being committed share the next
 * one, with one event (decision 0073).
 */

/** Minimum interval between retry jobs, in milliseconds. Each retry also has its own delay (RETRY_DELAYS_S). */
const RETRIES_APART_MS = 1_000;

type Settled = { completed: boolean; userId: string };
/** What a job does to its rows: it claims them, or settles them with an answer. */
type JobChange = { jobId: string; settling: (Answered & { settlement: Settlement }) | null };
/** `card` is null if the session was stopped or the job has no open row left, and after settling. */
type JobChanged = Settled & { card: rows.OpenCard | null };
type RunJobs = RunContext & {
  change: (sessionId: string, change: JobChange) => Promise<JobChanged>;
  /** Changes that take too long, by job. When a job runs again, it waits for its change first. */
  late: Map<string, Promise<unknown>>;
  notePlace: ReturnType<typeof changes.createPlaceNotes>;
};

export async function workRuns(context: RunContext): Promise<void> {
  const { jobs, config } = context;
  const { CARD_DELAY_MS: delayMs, LANE_CONCURRENCY: concurrency } = config;
  const change = createBatches((id: string, batch: readonly JobChange[]) => changeJobs(context, id, batch));
  const notePlace = changes.createPlaceNotes(context.db, context.intervals.placesMs);
  const parts: RunJobs = { ...context, change, late: new Map(), notePlace };
  const paceOf = (company: Company): Pace => ({ width: concurrency[LANE_OF[company]], delayMs });
  const lookUp = (company: Company) => (job: Job) => runLookup(parts, company, job, paceOf(company));
  for (const company of COMPANIES) await jobs.workLookups(lookupQueueOf(company), paceOf(company), lookUp(company));
  await jobs.workLookups(RETRY_QUEUE, { width: concurrency.psa, delayMs: RETRIES_APART_MS }, lookUp("PSA"));
}

async function runLookup(parts: RunJobs, company: Company, job: Job, pace: Pace): Promise<"done" | "again"> {
  try {
    const late = parts.late.get(job.id);
    if (late) await inTime(parts, job, late);
    const card = await findCardToLookUp(parts, company, job);
    if (!card) return "done";
    const inLane = () => parts.certs.inLane(company, (lookUp) => claimAndLookUp(parts, company, job, lookUp));
    const { userId } = card;
    const waitMs = await parts.upstreams.lanes[LANE_OF[company]].waitMs(userId);
    if (waitMs > 0) {
      await parts.jobs.delay(parts.db, job.name, userId, waitMs);
      return "again";
    }
    const lookedUp = await onBehalfOf(userId, inLane, { sharesAs: runSharesAs(userId, pace) });
    // The card's slot is already free for the next one.
    if (lookedUp) await inTime(parts, job, finish(parts, company, job, lookedUp));
  } catch (error) {
    if (error instanceof LaneClosedError || error instanceof BusyError) return "again";
    throw error;
  }
  return "done";
}

/**
 * Returns the job's card before it enters the lane, so that jobs of stopped sessions or paused endpoints don't use its
 * call slots. Null if the card must not be looked up now. @throws BusyError if others hold the session's lock
 */
async function findCardToLookUp(parts: RunJobs, company: Company, job: Job): Promise<rows.OpenCard | null> {
  const { db, certs } = parts;
  const card = await rows.findOpenCard(db, job.id);
  if (!card) return null;
  // If the session was resumed after `findOpenCard`, continue: a resume gives claimed rows no new job.
  if (!card.isRunning && (await ifRunning(parts, job, async () => true, [], changes.SOON)) === null) return null;
  const { mode } = card;
  const state = await certs.state(company, mode, card.requestedAt);
  if (state.kind === "closed") {
    await endClosedCards(parts, job.data.sessionId, { company, mode, state, jobId: job.id }, changes.SOON);
    return null;
  }
  if (state.kind === "paused" || state.kind === "probing") {
    await deferCard(parts, job, { company, mode, ...state, attempts: [], ownMode: null }, changes.SOON);
    return null;
  }
  return card;
}

/** A person's long change may hold the session's lock. Then the card gives up its place in the lane, and its worker. */
const LONGEST_CHANGE_MS = 3_000;

/** Waits for a job's change. @throws BusyError if it takes too long. It goes on, and the job's next run waits for it */
async function inTime<T>({ late, report }: RunJobs, { id }: Job, change: Promise<T>): Promise<T> {
  late.set(id, change);
  const timer = new AbortController();
  const tooLong = pause(LONGEST_CHANGE_MS, timer.signal).then(() => null);
  const done = change.then((value) => ({ value })).finally(() => late.delete(id));
  const ended = await Promise.race([done, tooLong]).finally(() => timer.abort());
  if (ended) return ended.value;
  done.catch((cause: unknown) => report(new Error("A card's late change failed; its job runs again", { cause })));
  throw new BusyError("Another transaction holds the lock of the session");
}

type LookedUp = { card: rows.OpenCard; result: Awaited<ReturnType<LookUpInLane>> };

/** Returns null if the session was stopped or no open row is left. @throws BusyError if claiming takes too long */
async function claimAndLookUp(
  parts: RunJobs,
  company: Company,
  job: Job,
  lookUp: LookUpInLane,
): Promise<LookedUp | null> {
  const { card } = await inTime(parts, job, parts.change(job.data.sessionId, { jobId: job.id, settling: null }));
  if (card && card.retries === 0) await parts.notePlace(LANE_OF[company], -job.priority);
  return card && { card, result: await lookUp(card) };
}

async function finish(parts: RunJobs, company: Company, job: Job, { card, result }: LookedUp): Promise<void> {
  const { answer, attempts } = result;
  if ("until" in answer) {
    const { mode } = card;
    return deferCard(parts, job, { company, mode, ...answer, attempts, ownMode: modeOfRest(mode, answer, attempts) });
  }
  const { completed, userId } = await settleOrQueue(parts, company, job, card, { answer, attempts });
  if (completed) await parts.sessions.logCompleted(userId, job.data.sessionId);
}

/** The mode of the source that is left for a waiting card. Null if both are, or during a manual pause of the page. */
function modeOfRest(mode: Mode, { until }: Waits, attempts: readonly Attempt[]): Mode | null {
  if (mode !== "api-with-fallback") return null;
  const failed = attempts.filter(({ outcome }) => outcome !== "quota_exhausted");
  if (failed.some(({ source }) => source === "page")) return "api";
  const isOutage = failed.some(({ outcome }) => outcome === "unavailable" || outcome === "timeout");
  return isOutage && until !== null ? "scraping" : null;
}

type Answered = { answer: Found | NotFound; attempts: Awaited<ReturnType<LookUpInLane>>["attempts"] };
const NOT_COMPLETED: Settled = { completed: false, userId: "" };

async function settleOrQueue(parts: RunJobs, company: Company, job: Job, card: rows.OpenCard, answered: Answered) {
  const { answer, attempts } = answered;
  const settled = { company, certNumber: card.certNumber, isRetry: card.retries > 0 };
  const delayS = parts.config.RETRY_DELAYS_S[card.retries];
  if (company === "PSA" && answer.code === "timeout" && delayS !== undefined) {
    try {
      const queue = async (locked: changes.LockedSession): Promise<void> => {
        const retryJobId = await enqueueRetry(parts, locked, delayS);
        const queued = queuedColumns(settled, answer);
        await changes.splitEvent(locked, await rows.queueRows(locked, job.id, retryJobId, queued, attempts));
      };
      await ifRunning(parts, job, queue, attempts);
      return NOT_COMPLETED;
    } catch (error) {
      // If the database is unavailable, `settle` also throws and the job is delivered again.
      parts.report(new Error(`Failed to queue PSA ${card.certNumber} for a retry`, { cause: error }));
      const reason = error instanceof Error ? error.message : String(error);
      return settle(parts, job, answered, queueFailureOf(settled, answer, reason));
    }
  }
  return settle(parts, job, answered, settlementOf(settled, answer)).catch((error: unknown) => {
    if (!isUnstorable(error)) throw error;
    parts.report(new Error(`Failed to store the answer for ${company} ${card.certNumber}`, { cause: error }));
    const message = `${company}'s answer contains something that cannot be stored`;
    const unstorable: NotFound = { code: "unavailable", message };
    // Replaces the outcome and message of the attempt that found the card, so that it matches the row.
    const matching = attempts.map((one) =>
      one.outcome === "found" ? { ...one, outcome: unstorable.code, message } : one,
    );
    return settle(parts, job, { answer: unstorable, attempts: matching }, settlementOf(settled, unstorable));
  });
}

function settle(parts: RunJobs, { id, data }: Job, answered: Answered, settlement: Settlement): Promise<Settled> {
  return parts.change(data.sessionId, { jobId: id, settling: { ...answered, settlement } });
}

/** Applies changes of one session's jobs. The first result tells whether that completed the session. */
function changeJobs(parts: RunContext, sessionId: string, batch: readonly JobChange[]): Promise<JobChanged[]> {
  const settling = batch.flatMap(({ jobId, settling: change }) => (change ? [{ jobId, ...change }] : []));
  const claiming = batch.filter((change) => change.settling === null).map(({ jobId }) => jobId);
  return parts.db.transaction().execute(async (trx) => {
    const locked = await changes.lockSession(trx, sessionId);
    // Takes the session's lock first, which can take long: other sessions may settle the same certs meanwhile.
    await parts.certs.remember(
      trx,
      settling.map(({ answer }) => answer),
    );
    if (!locked) return batch.map(() => ({ ...NOT_COMPLETED, card: null }));
    const { rowIds, ...settled } = await settleJobs(parts, locked, settling);
    const isRunning = locked.status === "processing";
    const claimed = isRunning && claiming.length > 0 ? await rows.claimRows(locked, claiming) : [];
    const released: number[][] = [];
    if (!isRunning) for (const jobId of claiming) released.push(await rows.releaseRows(locked, jobId, []));
    await changes.splitEvent(locked, [...rowIds, ...claimed.map(({ id }) => id), ...released.flat()]);
    const cards = new Map(claimed.map((card) => [card.jobId, card]));
    return batch.map(({ jobId }, index) => ({
      ...(index === 0 ? settled : NOT_COMPLETED),
      card: cards.get(jobId) ?? null,
    }));
  });
}

async function settleJobs(
  parts: RunContext,
  locked: changes.SessionEvent,
  settling: readonly (Answered & { jobId: string; settlement: Settlement })[],
): Promise<Settled & { rowIds: number[] }> {
  if (settling.length === 0) return { ...NOT_COMPLETED, rowIds: [] };
  const found: { card: Found["card"]; rowIds: number[] }[] = [];
  const settled: number[][] = [];
  for (const { jobId, settlement, attempts, answer } of settling) {
    const rowIds = await rows.settleRows(locked, jobId, settlement, attempts);
    settled.push(rowIds);
    if (answer.code === "found" && rowIds.length > 0) found.push({ card: answer.card, rowIds });
  }
  const cards = found.map(({ card }) => card);
  await requestImageComparisons(locked, parts.jobs, cards);
  // A card that settles after a stop gets its prices when the session is resumed.
  const requestsPrices = locked.include_pricing && locked.status === "processing" && found.length > 0;
  const pricedIds = found.flatMap((one) => one.rowIds);
  const tally = requestsPrices ? await requestPrices(parts, locked, pricedIds) : {};
  const rowIds = settled.flat();
  return { ...(await changes.addProcessed(locked, { ...tally, rows: rowIds.length })), rowIds };
}

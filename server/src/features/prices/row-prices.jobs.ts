import { PRICE_SOURCES, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { pause, repeat } from "../../concurrency/repeat.ts";
import { isDone } from "../../database/connection.ts";
import { PRICE_QUEUES, runSharesAs, type Job, type Pace } from "../../jobs/jobs.ts";
import type { PricedCard } from "../../price-sources/price-source.ts";
import type { ClosedState, EndpointState } from "../../upstreams/breaker-rules.ts";
import { LaneClosedError } from "../../upstreams/lane-slots.ts";
import { onBehalfOf } from "../../upstreams/on-behalf-of.ts";
import {
  createPlaceNotes,
  listPriceJobs,
  SOON,
  splitEvent,
  type SessionEvent,
} from "../sessions/session-changes.service.ts";
import { priceSettlementOf, type PricingContext } from "./price-requests.service.ts";
import { isSpoiled, type PriceAnswer } from "./quotes.service.ts";
import * as prices from "./row-prices.repo.ts";

/*
 * The lifecycle of a price job. Price jobs run in parallel with the lookups of later cards.
 *
 *   pending → source is open → fetch in the source's lane → priced | none | failed
 *       ↘ source is paused: its prices become `waiting` in all sessions, including this job's; the queue is blocked
 *       ↘ source is closed for the job's session: the session's prices of the source end as `failed`
 *
 * All jobs of a queue use one endpoint, so a worker stays blocked while the endpoint is paused. A session can complete
 * while its prices are `waiting`.
 */

/** The state of one source's worker. `mayWait` is true if `waiting` prices may exist that must become `pending`. */
type PriceWorker = PricingContext & {
  source: PriceSourceName;
  mayWait: boolean;
  notePlace: ReturnType<typeof createPlaceNotes>;
  pace: Pace & { together: number };
  /** Jobs whose cards must be requested alone, because a call for several cards failed. */
  alone: Set<string>;
};
type Cards = readonly prices.OpenPrice[];

/** Gives the job back to the queue before it expires. */
const LONGEST_WAIT_MS = 600_000;
/** If the pause ends within this time, the worker waits. Otherwise sessions complete without the source's prices. */
const SHORT_WAIT_MS = 30_000;
const DEFER_EVERY_MS = 60_000;
/** If this many cards of a failed call also fail alone, no single card caused the failure. */
const SINGLES_TO_SEE = 2;
/** How long a person's cards are requested one by one before the worker fetches other people's jobs. */
const LONGEST_SINGLES_MS = 10_000;
const MOST_ALONE = 10_000;
/** The longest that setting waiting prices to `pending` delays a call. */
const LONGEST_TURN_MS = 500;
const LONGEST_LOCK_WAIT_OF_A_TURN_MS = 100;
/** The state of a source whose credentials were removed: its prices wait until it has some again. */
const NO_CREDENTIALS: EndpointState = { kind: "paused", until: null, code: "unavailable", message: "No credentials" };
/** Before every wall and outage. If a source isn't closed for a run requested then, it is closed for none. */
const LONG_AGO = new Date(0);

/** Starts the workers for the price queues of all configured sources, and of others when they get credentials. */
export async function workPrices(parts: PricingContext): Promise<void> {
  const { LANE_CONCURRENCY, PRICING_DELAY_MS: delayMs } = parts.config;
  const notePlace = createPlaceNotes(parts.db, parts.intervals.placesMs);
  const started = new Set<PriceSourceName>();
  const startMissing = async (): Promise<void> => {
    for (const source of parts.pricing.sourcesOn) {
      if (started.has(source) || parts.upstreams.lanes.closing.aborted) continue;
      started.add(source);
      const pace = { width: LANE_CONCURRENCY[source], delayMs, together: parts.pricing.batchSizeOf(source) };
      const worker: PriceWorker = { ...parts, source, mayWait: true, notePlace, pace, alone: new Set() };
      await parts.jobs.workPrices(PRICE_QUEUES[source], pace, (batch) => priceBatch(worker, batch));
    }
  };
  parts.credentials.onRefresh(() => void startMissing().catch(parts.report));
  await startMissing();
}

/**
 * Sets pending prices to `waiting` if this node has no credentials for their source, so that sessions can complete.
 * Another node can fetch them, or this one when it has credentials. Resolves when `closing` aborts.
 */
export async function deferWithoutCredentials(parts: PricingContext): Promise<void> {
  const deferAll = async (): Promise<void> => {
    const missing = PRICE_SOURCES.filter((source) => !parts.pricing.sourcesOn.includes(source));
    for (const source of missing) await turn(parts, source, "waiting");
  };
  const failure = "Failed to defer prices of a source without credentials";
  const { report, upstreams } = parts;
  await repeat(deferAll, { everyMs: DEFER_EVERY_MS, failure, report, closing: upstreams.lanes.closing });
}

async function priceBatch(worker: PriceWorker, batch: readonly Job[]): Promise<{ again: readonly string[] }> {
  const { db, source, pricing, pace } = worker;
  const ids = batch.map((job) => job.id);
  if (!(await opens(worker))) return { again: ids };
  const open = await prices.listOpenPrices(db, source, ids);
  // Cards that someone is pricing alone must not delay a call for several cards.
  const isBusy = (card: PricedCard): boolean => pace.together > 1 && pricing.isBusy(source, card);
  const busy = open.filter(isBusy).map(({ jobId }) => jobId);
  // A call is for one person's cards, so that cards that hang or fail don't affect other people's.
  const people = Map.groupBy(
    open.filter((card) => !isBusy(card)),
    ({ userId }) => userId,
  );
  const again = [...people].map(([userId, cards]) => pricePersonsCards(worker, batch, userId, cards));
  return { again: [...busy, ...(await Promise.all(again)).flat()] };
}

/** Prices a person's cards of a batch. Returns the jobs to run again. */
async function pricePersonsCards(
  worker: PriceWorker,
  batch: readonly Job[],
  userId: string,
  cards: Cards,
): Promise<string[]> {
  const { db, source, pace, jobs } = worker;
  const own = cards.map(({ jobId }) => jobId);
  const lane = worker.upstreams.lanes[source];
  const waitMs = await lane.waitMs(userId);
  if (waitMs > 0) {
    await jobs.delay(db, PRICE_QUEUES[source], userId, waitMs);
    return own;
  }
  const jobOf = new Map(batch.map((job) => [job.id, job]));
  await worker.notePlace(source, Math.max(...own.map((id) => -(jobOf.get(id)?.priority ?? 0))));
  try {
    const answers = await onBehalfOf(userId, () => askPrices(worker, userId, cards), {
      sharesAs: runSharesAs(userId, pace),
    });
    const again: string[] = [];
    const locked = new Set<string>();
    for (const { jobId } of cards) {
      const job = jobOf.get(jobId);
      const answer = answers.get(jobId);
      if (!job || !answer || locked.has(job.data.sessionId)) again.push(jobId);
      else {
        const result = await settle(worker, job, answer);
        if (result === "busy") locked.add(job.data.sessionId);
        if (result !== "settled") again.push(jobId);
      }
    }
    return again;
  } catch (error) {
    if (error instanceof LaneClosedError) return own;
    throw error;
  }
}

/**
 * Requests prices of a person's cards with one call. If it fails, requests them one by one until the person has to wait.
 * Returns the answers by job. A card without an answer must be requested again, and then alone.
 */
async function askPrices({ source, pricing, alone, upstreams }: PriceWorker, userId: string, cards: Cards) {
  const answers = new Map<string, PriceAnswer>();
  const ask = async (some: Cards): Promise<void> => {
    const requestedAt = new Date(Math.max(...some.map((card) => card.requestedAt.getTime())));
    const answered = await pricing.fetch(source, some, { requestedAt });
    for (const [index, { jobId }] of some.entries()) {
      const answer = answered[index];
      if (answer) answers.set(jobId, answer);
    }
  };
  const together = cards.filter(({ jobId }) => !alone.has(jobId));
  if (together.length > 0) await ask(together);
  const spoiled = together.length > 1 ? together.filter(({ jobId }) => isSpoiled(answers.get(jobId))) : [];
  const singles = [...cards.filter(({ jobId }) => alone.has(jobId)), ...spoiled];
  const until = performance.now() + LONGEST_SINGLES_MS;
  for (const [index, card] of singles.entries()) {
    const isLate = index >= SINGLES_TO_SEE && performance.now() > until;
    if (isLate || (await upstreams.lanes[source].waitMs(userId)) > 0) {
      if (alone.size > MOST_ALONE) alone.clear();
      for (const { jobId } of singles.slice(index)) {
        alone.add(jobId);
        answers.delete(jobId);
      }
      break;
    }
    await ask([card]);
    alone.delete(card.jobId);
    const asked = singles.slice(0, index + 1);
    if (asked.length === SINGLES_TO_SEE && asked.every(({ jobId }) => isSpoiled(answers.get(jobId)))) break;
  }
  return answers;
}

/** Ends prices of sessions for which the source is closed. Returns the state of the others; open if none is left. */
async function stateOfRest(worker: PriceWorker): Promise<EndpointState> {
  const { db, source, pricing } = worker;
  const oldest = await pricing.state(source, LONG_AGO);
  if (oldest.kind !== "closed") return oldest;
  let rest: EndpointState = { kind: "open" };
  for (const { id, requestedAt } of await prices.listOpenSessions(db, source)) {
    const state = await pricing.state(source, requestedAt);
    if (state.kind === "closed") await endPrices(worker, id, state);
    else rest = state;
  }
  return rest;
}

async function endPrices({ jobs, sessions, source }: PriceWorker, sessionId: string, state: ClosedState) {
  const settlement = priceSettlementOf(state);
  if (!settlement) throw new Error("A closed source settles its prices");
  const end = async (locked: SessionEvent) => {
    const jobIds = await listPriceJobs(locked.trx, sessionId, source);
    const left = await prices.settlePrices(locked, source, { jobIds }, settlement);
    await jobs.cancel(locked.trx, PRICE_QUEUES[source], jobIds);
    await splitEvent(locked);
    return prices.leaving(left);
  };
  // The next batch ends the prices of a busy session.
  await isDone(sessions.changeCounted(sessionId, end, SOON));
}

/** Waits until the source is open. Returns false on timeout or shutdown. */
async function opens(worker: PriceWorker): Promise<boolean> {
  const { source, intervals } = worker;
  const { closing } = worker.upstreams.lanes;
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  while (performance.now() < giveUpAt && !closing.aborted) {
    const state = worker.pricing.sourcesOn.includes(source) ? await stateOfRest(worker) : NO_CREDENTIALS;
    if (state.kind === "open" || state.kind === "due") {
      // With many sessions, calls begin before all prices are pending. The others follow between the calls.
      if (worker.mayWait) worker.mayWait = !(await turn(worker, source, "pending", LONGEST_TURN_MS));
      return true;
    }
    if (state.kind === "paused" && (state.until === null || state.until.getTime() - Date.now() > SHORT_WAIT_MS)) {
      worker.mayWait = true;
      await turn(worker, source, "waiting");
    }
    await pause(intervals.pausedPricesMs, closing);
  }
  return false;
}

/**
 * Sets all pending prices of a source to `waiting`, or all waiting ones to `pending`. Stops after `longestMs`, and skips
 * busy sessions. Returns whether all prices were changed.
 */
async function turn(
  { db, sessions }: PricingContext,
  source: PriceSourceName,
  to: "pending" | "waiting",
  longestMs = Infinity,
): Promise<boolean> {
  const endAt = performance.now() + longestMs;
  const change = async (locked: SessionEvent) => {
    const tally = await prices.turnPrices(locked, source, to);
    await splitEvent(locked);
    return tally;
  };
  let areAllChanged = true;
  for (const sessionId of await prices.listSessionsIn(db, source, to === "waiting" ? "pending" : "waiting")) {
    const isChanged = await isDone(
      sessions.changeCounted(sessionId, change, { longestMs: LONGEST_LOCK_WAIT_OF_A_TURN_MS }),
    );
    if (!isChanged) areAllChanged = false;
    if (performance.now() > endAt) return false;
  }
  return areAllChanged;
}

/** Writes an answer to the rows of its job, unless the answer is not final or the session is busy. */
async function settle({ sessions, source }: PriceWorker, job: Job, answer: PriceAnswer) {
  const settlement = priceSettlementOf(answer);
  if (settlement === null) return "open";
  const write = async (locked: SessionEvent) => {
    const left = await prices.settlePrices(locked, source, { jobIds: [job.id] }, settlement);
    if (left.length > 1) await splitEvent(locked);
    return prices.leaving(left);
  };
  const isSettled = await isDone(sessions.changeCounted(job.data.sessionId, write, SOON));
  return isSettled ? "settled" : "busy";
}

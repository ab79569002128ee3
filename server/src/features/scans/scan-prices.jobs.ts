import { PRICE_SOURCES, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { LaneName } from "../../config.ts";
import type { Database } from "../../database/connection.ts";
import { PRICE_QUEUES, type Jobs, type Job } from "../../jobs/jobs.ts";
import { LaneClosedError } from "../../lanes/lane.ts";
import { onBehalfOf } from "../../lanes/on-behalf-of.ts";
import { pause } from "../../pause.ts";
import type { PriceAnswer, PricingService } from "../pricing/pricing.service.ts";
import * as prices from "./scan-prices.repo.ts";
import type { ScanChangesService } from "./scan-changes.service.ts";
import { changePrices, priceSettlementOf } from "./scans.prices.ts";
import * as repo from "./scans.repo.ts";

/*
 * A price job's way, beside the look-ups of the next cards:
 *
 *   pending → its source is open → asked in its lane → priced | none | failed
 *       ↘ the source is paused: the prices of all sessions `wait`, the job in hand with them; the queue behind it stands
 *
 * All jobs of a queue meet one endpoint, so a worker that meets it closed stays before it. What waits holds up no session.
 */

export type ScanPriceJobsParts = {
  db: Database;
  jobs: Pick<Jobs, "workPrices">;
  pricing: Pick<PricingService, "sourcesOn" | "batchSizeOf" | "gate" | "fetch">;
  changes: Pick<ScanChangesService, "logCompleted">;
  delayMs: number;
  /** From one look at a paused source to the next. */
  pausedPricesMs: number;
  concurrency: Record<LaneName, number>;
  closing: AbortSignal;
  report: (error: Error) => void;
};

/** What a worker of a source needs; `mayWait` while prices may be waiting that are to be pending again. */
type PriceWorker = ScanPriceJobsParts & { source: PriceSourceName; mayWait: boolean };

/** A job in hand is given back before its time runs out. */
const LONGEST_LOOK_MS = 600_000;
/** A source that opens within this time is waited for; a longer pause lets the sessions end without its prices. */
const SHORT_WAIT_MS = 30_000;
const PARK_EVERY_MS = 60_000;

/** Starts working the price queues of all sources that are set up. */
export async function workPrices(parts: ScanPriceJobsParts): Promise<void> {
  for (const source of parts.pricing.sourcesOn) {
    const worker: PriceWorker = { ...parts, source, mayWait: true };
    const options = {
      width: parts.concurrency[source],
      delayMs: parts.delayMs,
      together: parts.pricing.batchSizeOf(source),
    };
    await parts.jobs.workPrices(PRICE_QUEUES[source], options, (batch) => priceBatch(worker, batch));
  }
}

/**
 * Keeps prices from holding sessions up that this node cannot ask for, as its source's credentials have gone or were
 * never set here: another node may, or this one when they are back. Resolves when the lanes close.
 */
export async function deferUnasked(parts: ScanPriceJobsParts): Promise<void> {
  const unasked = PRICE_SOURCES.filter((source) => !parts.pricing.sourcesOn.includes(source));
  while (unasked.length > 0 && !parts.closing.aborted) {
    try {
      for (const source of unasked) await turn(parts, source, "waiting");
    } catch (error) {
      parts.report(new Error("Prices of a source without credentials could not be set aside", { cause: error }));
    }
    await pause(PARK_EVERY_MS, parts.closing);
  }
}

async function priceBatch(worker: PriceWorker, batch: readonly Job[]): Promise<{ again: readonly string[] }> {
  const { db, source, pricing } = worker;
  const ids = batch.map((job) => job.id);
  if (!(await opens(worker))) return { again: ids };
  const cards = await prices.listOpenPrices(db, source, ids);
  const [first] = cards;
  if (!first) return { again: [] };
  try {
    // One call may ask for cards of several people; it is the one's whose card comes first.
    const answers = await onBehalfOf(first.userId, () => pricing.fetch(source, cards));
    const again: string[] = [];
    for (const [index, { jobId }] of cards.entries()) {
      const job = batch.find(({ id }) => id === jobId);
      const answer = answers[index];
      if (!job || !answer || !(await settle(worker, job, answer))) again.push(jobId);
    }
    return { again };
  } catch (error) {
    if (error instanceof LaneClosedError) return { again: ids };
    throw error;
  }
}

/** Waits until the source may be asked; false when the wait is given up. */
async function opens(worker: PriceWorker): Promise<boolean> {
  const { source, pricing, pausedPricesMs, closing } = worker;
  const giveUpAt = performance.now() + LONGEST_LOOK_MS;
  while (performance.now() < giveUpAt && !closing.aborted) {
    const gate = await pricing.gate(source);
    if (gate.kind === "open" || gate.kind === "due") {
      if (worker.mayWait) await turn(worker, source, "pending");
      worker.mayWait = false;
      return true;
    }
    if (gate.kind === "paused" && (gate.until === null || gate.until.getTime() - Date.now() > SHORT_WAIT_MS)) {
      worker.mayWait = true;
      await turn(worker, source, "waiting");
    }
    await pause(pausedPricesMs, closing);
  }
  return false;
}

/** Lets all pending prices of a source wait, or the waiting ones be pending again. */
async function turn(
  { db, changes }: Pick<ScanPriceJobsParts, "db" | "changes">,
  source: PriceSourceName,
  to: "pending" | "waiting",
): Promise<void> {
  for (const sessionId of await prices.listSessionsIn(db, source, to === "waiting" ? "pending" : "waiting")) {
    const done = await changePrices(db, sessionId, async (trx, eventSeq) => {
      const tally = await prices.turnPrices(trx, sessionId, source, eventSeq, to);
      await repo.spreadEvent(trx, sessionId, eventSeq);
      return tally;
    });
    if (done?.completed) await changes.logCompleted(done.userId, sessionId);
  }
}

/** Writes an answer into the rows of its job; false when the answer is to come. */
async function settle({ db, changes, source }: PriceWorker, job: Job, answer: PriceAnswer): Promise<boolean> {
  const settlement = priceSettlementOf(answer);
  if (settlement === null) return false;
  const { sessionId } = job.data;
  const done = await changePrices(db, sessionId, (trx, eventSeq) =>
    prices.settlePrices(trx, source, { jobId: job.id }, eventSeq, settlement),
  );
  if (done?.completed) await changes.logCompleted(done.userId, sessionId);
  return true;
}

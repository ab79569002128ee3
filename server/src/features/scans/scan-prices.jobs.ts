import { PRICE_SOURCES, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { LaneName } from "../../config.ts";
import type { Database } from "../../database/connection.ts";
import { PRICE_QUEUES, type Jobs, type LookupJob } from "../../jobs/jobs.ts";
import { LaneClosedError } from "../../lanes/lane.ts";
import { pause } from "../../pause.ts";
import type { PriceAnswer, PricingService } from "../pricing/pricing.service.ts";
import * as prices from "./scan-prices.repo.ts";
import type { ScanChangesService } from "./scan-changes.service.ts";
import { changePrices, priceSettlementOf } from "./scans.prices.ts";

/*
 * A price job's way, beside the look-ups of the next cards:
 *
 *   pending → its source is open → asked in its lane → priced | none | failed
 *       ↘ the source is paused: the prices of all sessions `wait`, the job in hand with them; the queue behind it stands
 *
 * All jobs of a queue meet one door, so a worker that meets it closed stays before it. What waits holds up no session.
 */

export type ScanPriceJobsParts = {
  db: Database;
  jobs: Pick<Jobs, "workPrices" | "cancel">;
  pricing: Pick<PricingService, "sourcesOn" | "batchSizeOf" | "gate" | "fetch">;
  changes: Pick<ScanChangesService, "logCompleted">;
  delayMs: number;
  concurrency: Record<LaneName, number>;
  closing: AbortSignal;
  report: (error: Error) => void;
};

/** From this delay on a worker's pause between batches costs nothing. */
const CALM_DELAY_MS = 1_000;
const LOOK_EVERY_MS = 1_000;
/** A job in hand is given back before its time runs out. */
const LOOKS_AT_MOST = 600;
/** A source that opens within this time is waited for; a longer pause lets the sessions end without its prices. */
const SHORT_WAIT_MS = 30_000;

/** Starts working the price queues of all sources that are set up; nobody waits for one whose credentials have gone. */
export async function workPrices(parts: ScanPriceJobsParts): Promise<void> {
  for (const source of PRICE_SOURCES) if (!parts.pricing.sourcesOn.includes(source)) await giveUp(parts, source);
  for (const source of parts.pricing.sourcesOn) {
    const width = parts.concurrency[source];
    const batches = parts.delayMs >= CALM_DELAY_MS ? width : width * 2;
    const together = parts.pricing.batchSizeOf(source);
    await parts.jobs.workPrices(PRICE_QUEUES[source], { width, together, batches }, (batch) =>
      priceBatch(parts, source, batch),
    );
  }
}

async function priceBatch(
  parts: ScanPriceJobsParts,
  source: PriceSourceName,
  batch: readonly LookupJob[],
): Promise<{ again: readonly string[] }> {
  const ids = batch.map((job) => job.id);
  if (!(await opens(parts, source))) return { again: ids };
  const cards = await prices.listOpenPrices(parts.db, source, ids);
  if (cards.length === 0) return { again: [] };
  try {
    const answers = await parts.pricing.fetch(source, cards);
    const again: string[] = [];
    for (const [index, { jobId }] of cards.entries()) {
      const job = batch.find(({ id }) => id === jobId);
      const answer = answers[index];
      if (!job || !answer || !(await settle(parts, source, job, answer))) again.push(jobId);
    }
    return { again };
  } catch (error) {
    if (error instanceof LaneClosedError) return { again: ids };
    throw error;
  }
}

/** Waits until the source may be asked; false when the wait is given up. */
async function opens(parts: ScanPriceJobsParts, source: PriceSourceName): Promise<boolean> {
  for (let looks = 0; looks < LOOKS_AT_MOST && !parts.closing.aborted; looks += 1) {
    const gate = await parts.pricing.gate(source);
    if (gate.kind === "open" || gate.kind === "due") return true;
    if (gate.kind === "paused" && gate.until.getTime() - Date.now() > SHORT_WAIT_MS) await park(parts, source);
    await pause(LOOK_EVERY_MS, parts.closing);
  }
  return false;
}

async function giveUp({ db, jobs, changes }: ScanPriceJobsParts, source: PriceSourceName): Promise<void> {
  for (const sessionId of await prices.listAskingSessions(db, source)) {
    const done = await changePrices(db, sessionId, async (trx, eventSeq) => {
      const released = await prices.releasePrices(trx, sessionId, source, eventSeq);
      await jobs.cancel(trx, PRICE_QUEUES[source], released.jobs);
      return released.tally;
    });
    if (done?.completed) await changes.logCompleted(done.userId, sessionId);
  }
}

async function park({ db, changes }: ScanPriceJobsParts, source: PriceSourceName): Promise<void> {
  for (const sessionId of await prices.listPendingSessions(db, source)) {
    const done = await changePrices(db, sessionId, async (trx, eventSeq) => {
      const count = await prices.parkPrices(trx, sessionId, source, eventSeq);
      return { pending: -count, waiting: count };
    });
    if (done?.completed) await changes.logCompleted(done.userId, sessionId);
  }
}

/** Writes an answer into the rows of its job; false when the answer is to come. */
async function settle(
  { db, changes }: ScanPriceJobsParts,
  source: PriceSourceName,
  job: LookupJob,
  answer: PriceAnswer,
): Promise<boolean> {
  const settlement = priceSettlementOf(answer);
  if (settlement === null) return false;
  const { sessionId } = job.data;
  const done = await changePrices(db, sessionId, (trx, eventSeq) =>
    prices.settlePrices(trx, source, { jobId: job.id }, eventSeq, settlement),
  );
  if (done?.completed) await changes.logCompleted(done.userId, sessionId);
  return true;
}

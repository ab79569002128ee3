import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { PRICE_QUEUES, type Jobs } from "../../jobs/jobs.ts";
import type { PriceAnswer, PricingService } from "./quotes.service.ts";
import * as prices from "./row-prices.repo.ts";
import { addProcessed, changeSession, type Tally } from "../sessions/session-changes.service.ts";

export { leaving } from "./row-prices.repo.ts";

export type AskingPrices = { jobs: Pick<Jobs, "enqueue">; pricing: Pick<PricingService, "sourcesOn"> };

/**
 * Requests prices of a session's found rows from all configured sources. Fills prices from quotes of the last day and
 * enqueues a job for each other card. Returns the change in the session's counts.
 */
export async function askForPrices(
  { jobs, pricing }: AskingPrices,
  trx: DatabaseTransaction,
  request: Omit<prices.PriceRequest, "source">,
): Promise<Tally> {
  let pending = 0;
  for (const source of pricing.sourcesOn) {
    const asked = await prices.askPrices(trx, { ...request, source });
    const about = { queue: PRICE_QUEUES[source], sessionId: request.sessionId };
    const requested = asked.jobs.map((job) => ({ ...job, ...about }));
    await jobs.enqueue(trx, requested);
    pending += asked.pending;
  }
  return { pending };
}

/** Cancels a session's price jobs. Rows keep the prices they have. Returns the change in the session's counts. */
export async function takePricesBack(
  jobs: Pick<Jobs, "cancel">,
  trx: DatabaseTransaction,
  sessionId: string,
  eventSeq: number,
): Promise<Tally> {
  const released = await prices.releasePrices(trx, sessionId, eventSeq);
  for (const source of PRICE_SOURCES) {
    const own = released.jobs.filter((job) => job.source === source).map(({ id }) => id);
    await jobs.cancel(trx, PRICE_QUEUES[source], [...new Set(own)]);
  }
  return released.tally;
}

/** Returns the values that an answer writes to its rows, or null if the answer is not final. */
export function priceSettlementOf(answer: PriceAnswer): prices.PriceSettlement | null {
  if (answer.code === "quoted") {
    const { quoteId, price, message } = answer;
    return price ? { state: "priced", message, quoteId } : { state: "none", message, quoteId: null };
  }
  if ("until" in answer) return null;
  if (answer.code === "not_found") return { state: "none", message: answer.message, quoteId: null };
  return { state: "failed", message: `Failed to fetch pricing: ${answer.message}`, quoteId: null };
}

/** Changes a session's prices under its lock. Returns whether that completed the session; null if there is none. */
export function changePrices(
  db: Database,
  sessionId: string,
  change: (trx: DatabaseTransaction, eventSeq: number) => Promise<Tally>,
): Promise<{ completed: boolean; userId: string } | null> {
  return changeSession(db, sessionId, async (locked) =>
    addProcessed(locked, await change(locked.trx, locked.eventSeq)),
  );
}

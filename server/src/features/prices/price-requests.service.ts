import type { Context } from "../../context.ts";
import { PRICE_QUEUES, type Jobs } from "../../jobs/jobs.ts";
import { placeOfLane, placeOfNext, type LockedSession, type Tally } from "../sessions/session-changes.service.ts";
import type { PriceAnswer, PricingService } from "./quotes.service.ts";
import * as prices from "./row-prices.repo.ts";

export { leaving } from "./row-prices.repo.ts";

export type PricingContext = Context & { pricing: PricingService };

/**
 * Requests prices of a session's found rows from all configured sources. Fills prices from quotes of the last day and
 * enqueues a job for each other card. `again` also refreshes settled prices. Returns the change in the session's counts.
 */
export async function requestPrices(
  { jobs, pricing }: PricingContext,
  locked: LockedSession,
  rows: prices.WantedRows,
  again = false,
): Promise<Tally> {
  const place = await placeOfNext(locked.trx, "price", locked);
  let pending = 0;
  for (const source of pricing.sourcesOn) {
    const requested = await prices.requestPrices(locked, source, rows, again);
    pending += requested.pending;
    if (requested.jobs.length === 0) continue;
    const { trx, sessionId, userId } = locked;
    const about = { queue: PRICE_QUEUES[source], sessionId, userId };
    const first = place + (await placeOfLane(trx, source));
    await jobs.enqueue(
      trx,
      requested.jobs.map((id, index) => ({ id, place: first + index, ...about })),
    );
  }
  return { pending };
}

/** Cancels a session's price jobs. Rows keep the prices they have. Returns the change in the session's counts. */
export async function takePricesBack(jobs: Jobs, locked: LockedSession): Promise<Tally> {
  const released = await prices.releasePrices(locked);
  for (const [source, own] of Map.groupBy(released.jobs, (job) => job.source))
    await jobs.cancel(locked.trx, PRICE_QUEUES[source], [...new Set(own.map(({ id }) => id))]);
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

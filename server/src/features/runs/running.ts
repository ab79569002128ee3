import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { CertsService } from "../certs/certs.service.ts";
import type { PricingService } from "../prices/quotes.service.ts";
import type { SessionRecord } from "../sessions/sessions.present.ts";
import * as rows from "./rows.repo.ts";
import { askForPrices } from "../prices/row-prices.ts";
import * as repo from "../sessions/sessions.repo.ts";
import { enqueuePending } from "./waits.ts";

export type RunningParts = {
  db: Database;
  jobs: Pick<Jobs, "enqueue">;
  pricing: Pick<PricingService, "sourcesOn">;
  certs: Pick<CertsService, "knownSources">;
  cachedCertDays: number;
};

/**
 * Changes a session's rows while its lock is held. Returns the change in the number of settled rows, or null if nothing
 * changed.
 */
export type RowsChange = (
  trx: DatabaseTransaction,
  eventSeq: number,
  status: SessionRecord["status"],
) => Promise<number | null>;

export type RunOptions = {
  /** Does not restart a stopped session. */
  staysStopped?: boolean;
  /** Queues the new cards behind the session's open ones. */
  comesLast?: boolean;
  /** Which found rows to fetch prices for: those this change touched, or all without a price. */
  pricesOf?: "changed" | "all";
};

/**
 * Applies `change`, restarts the session if it was stopped, and enqueues its pending rows. If `change` returns null,
 * does nothing, so repeated calls are safe. Returns whether the session completed, or null if nothing changed.
 */
export async function changeAndRun(
  { db, jobs, certs, pricing, cachedCertDays }: RunningParts,
  sessionId: string,
  change: RowsChange,
  { staysStopped = false, comesLast = false, pricesOf = "changed" }: RunOptions = {},
): Promise<{ completed: boolean; userId: string } | null> {
  return db.transaction().execute(async (trx) => {
    const event = await repo.nextEventSeq(trx, sessionId);
    const settled = event && (await change(trx, event.eventSeq, event.status));
    if (!event || settled === null) return null;
    if (staysStopped && event.status === "failed") return repo.addProcessed(trx, sessionId, { rows: settled });
    const session = await repo.restartSession(trx, sessionId);
    const terms = { sources: certs.knownSources(session.processing_mode), days: cachedCertDays };
    const filled = session.reuse_known ? await rows.fillCachedRows(trx, sessionId, event.eventSeq, terms) : 0;
    await enqueuePending(jobs, trx, sessionId, comesLast ? await rows.countOpenJobs(trx, sessionId) : 0);
    const asking = { sessionId, eventSeq: event.eventSeq, rows: pricesOf, again: false };
    const tally = session.include_pricing ? await askForPrices({ jobs, pricing }, trx, asking) : {};
    await repo.spreadEvent(trx, sessionId, event.eventSeq);
    return repo.addProcessed(trx, sessionId, { ...tally, rows: settled + filled });
  });
}

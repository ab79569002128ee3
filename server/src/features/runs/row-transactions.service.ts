import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { Database } from "../../database/connection.ts";
import { lookupQueueOf, type Job, type Jobs } from "../../jobs/jobs.ts";
import type { CertsService } from "../certs/certs.service.ts";
import type { PricingService } from "../prices/quotes.service.ts";
import { HttpError } from "../../http/http-error.ts";
import * as rows from "./rows.repo.ts";
import { askForPrices } from "../prices/price-requests.service.ts";
import {
  addProcessed,
  addSheetBytes,
  changeSession,
  countEarlierRuns,
  restartSession,
  spreadEvent,
  type LeftRows,
  type LockedSession,
  type SessionEvent,
} from "../sessions/session-changes.service.ts";
import type { SessionsService } from "../sessions/sessions.service.ts";
import { cancelLookups } from "../../jobs/cancel-lookups.ts";
import { charactersIn } from "../../sheets/slices.ts";
import { endRows, type Ending } from "./ended-rows.repo.ts";
import { fillCachedRows, type KnownTerms } from "./filled-rows.repo.ts";
import { deferRows, type Deferral } from "./waits.repo.ts";

/* Transactions that change rows of a run under their session's lock. */

export type RunningParts = {
  db: Database;
  jobs: Pick<Jobs, "enqueue">;
  pricing: Pick<PricingService, "sourcesOn">;
  certs: Pick<CertsService, "knownSources">;
  cachedCertDays: number;
  /** Limits what one person may store. */
  sheetsMbPerPerson: number;
};

/**
 * Changes a session's rows while its lock is held. Returns the change in the number of settled rows, or null if nothing
 * changed.
 */
export type RowsChange = (locked: SessionEvent) => Promise<number | null>;

export type RunOptions = {
  staysStopped?: boolean;
  /** A person asked for look-ups that had failed or waited. */
  isAskedAgain?: boolean;
  leftRows?: LeftRows;
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
  parts: RunningParts,
  sessionId: string,
  change: RowsChange,
  options: RunOptions = {},
): Promise<{ completed: boolean; userId: string } | null> {
  const { db, jobs, pricing } = parts;
  const { staysStopped = false, isAskedAgain = false, comesLast = false, pricesOf = "changed" } = options;
  return changeSession(db, sessionId, async (locked) => {
    const settled = await change(locked);
    if (settled === null) return null;
    if (staysStopped && locked.status === "failed") return addProcessed(locked, { rows: settled });
    await restartSession(locked, { isAskedAgain, leftRows: options.leftRows ?? "as before" });
    const filled = locked.reuse_known ? await fillCachedRows(locked, termsOf(parts, locked.processing_mode)) : 0;
    await enqueuePending(jobs, locked, comesLast ? await rows.countOpenJobs(locked) : 0);
    const request = { ...locked, rows: pricesOf, again: false };
    const tally = locked.include_pricing ? await askForPrices({ jobs, pricing }, locked.trx, request) : {};
    await spreadEvent(locked);
    return addProcessed(locked, { ...tally, rows: settled + filled });
  });
}

/**
 * Runs `work` if the job's session is running. If it is stopped, sets the job's rows back to `pending` with the
 * attempts made, and returns null.
 */
export function ifRunning<T>(
  db: Database,
  job: Job,
  work: (locked: LockedSession) => Promise<T>,
  attempts: readonly LookUp[] = [],
): Promise<T | null> {
  return changeSession(db, job.data.sessionId, async (locked) => {
    if (locked.status === "processing") return work(locked);
    await rows.releaseRows(locked, job.id, attempts);
    return null;
  });
}

/** About what the database needs for a row besides its texts, with its indexes and its job. */
const ROW_BYTES = 1_000;

/** About the size of new rows, for the quota of their owner. */
export function sizeOfRows(rows: readonly object[]): number {
  return charactersIn(rows) + rows.length * ROW_BYTES;
}

/** Counts new rows of this size toward their owner's quota. @throws HttpError 409 if the quota is exceeded */
export async function demandRoom(locked: LockedSession, bytes: number, quotaMb: number): Promise<void> {
  const stored = await addSheetBytes(locked, bytes);
  if (stored <= quotaMb * 1_000_000) return;
  const quota = `${quotaMb.toLocaleString("en-US")} MB`;
  const message = `You would store more than ${quota}, the most per person. Ask an administrator to delete old sessions or to raise the limit`;
  throw new HttpError(409, "conflict", message);
}

export function termsOf({ certs, cachedCertDays }: RunningParts, mode: Mode): KnownTerms {
  return { sources: certs.knownSources(mode), days: cachedCertDays };
}

/** Defers a card, and the session's other pending cards that use the same endpoints unless the deferral is its own. */
export async function deferCard(
  { db, jobs }: { db: Database; jobs: Pick<Jobs, "cancel"> },
  job: Job,
  deferral: Deferral,
): Promise<void> {
  const defer = async (locked: LockedSession): Promise<void> => {
    const unneeded = await deferRows(locked, job.id, deferral);
    await jobs.cancel(locked.trx, lookupQueueOf(deferral.company), unneeded);
    await spreadEvent(locked);
  };
  await ifRunning(db, job, defer, deferral.attempts);
}

export type EndingParts = {
  db: Database;
  jobs: Pick<Jobs, "cancel">;
  sessions: Pick<SessionsService, "logCompleted">;
};

/**
 * Ends a session's cards of a company and mode whose endpoints are all closed: the job's card, if given, and all that are
 * pending or waiting. Cards under way end with their own answers.
 */
export async function endClosedCards(
  { db, jobs, sessions }: EndingParts,
  sessionId: string,
  ending: Ending,
): Promise<void> {
  const ended = await changeSession(db, sessionId, async (locked) => {
    if (locked.status !== "processing") return null;
    const { count, unneeded } = await endRows(locked, ending);
    await cancelLookups(jobs, locked.trx, unneeded);
    await spreadEvent(locked);
    return addProcessed(locked, { rows: count });
  });
  if (ended?.completed) await sessions.logCompleted(ended.userId, sessionId);
}

/** Creates jobs for a session's pending rows that have none, in sheet order, after `cardsBefore` of its cards. */
export async function enqueuePending(jobs: Pick<Jobs, "enqueue">, locked: LockedSession, cardsBefore = 0) {
  await enqueueCards(jobs, locked, await rows.giveJobs(locked), cardsBefore);
}

/**
 * Enqueues the jobs of a session's cards. The nth card of a session has priority -n, so that a small session does not
 * wait for all cards of a large one. Each session that its owner has started before and that still runs counts as a
 * card before it, so that many small sessions of one person don't delay other people's.
 */
export async function enqueueCards(
  jobs: Pick<Jobs, "enqueue">,
  locked: LockedSession,
  list: readonly rows.RowJob[],
  cardsBefore = 0,
): Promise<void> {
  if (list.length === 0) return;
  const before = cardsBefore + (await countEarlierRuns(locked));
  const cards = list.map((job, index) => ({
    id: job.job_id,
    queue: lookupQueueOf(job.grading_company),
    sessionId: locked.sessionId,
    priority: -(before + index),
  }));
  await jobs.enqueue(locked.trx, cards);
}

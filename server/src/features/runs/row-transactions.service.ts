import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Context } from "../../context.ts";
import { cancelLookups, type Job, lookupQueueOf } from "../../jobs/jobs.ts";
import type { CertsService } from "../certs/certs.service.ts";
import { conflict } from "../../http/http-error.ts";
import { LANE_OF } from "../../upstreams/endpoint.ts";
import * as backlogs from "./backlogs.repo.ts";
import * as rows from "./rows.repo.ts";
import { requestPrices, type PricingContext } from "../prices/price-requests.service.ts";
import * as changes from "../sessions/session-changes.service.ts";
import { charactersIn } from "../../sheets/slices.ts";
import { fillCachedRows, type KnownTerms } from "./filled-rows.repo.ts";
import { deferRows, endRows, type Deferral, type Ending } from "./waits.repo.ts";

/* Transactions that change rows of a run under their session's lock. */

export type RunContext = PricingContext & { certs: CertsService };

/** Changes a locked session's rows. Returns by how much the settled rows changed; null if nothing changed. */
export type RowsChange = (locked: changes.SessionEvent) => Promise<number | null>;

export type RunOptions = {
  staysStopped?: boolean;
  /** A person requested lookups that had failed or waited. */
  isRequestedAgain?: boolean;
  leftRows?: changes.LeftRows;
  /** Which found rows to fetch prices for: those this change touched, or all without a price. */
  pricesOf?: "changed" | "all";
};

/**
 * Applies `change`, restarts the session if it was stopped, and enqueues its pending rows. If `change` returns null,
 * does nothing, so repeated calls are safe. Returns whether something changed.
 */
export function changeAndRun(context: RunContext, sessionId: string, change: RowsChange, options: RunOptions = {}) {
  const { staysStopped = false, isRequestedAgain = false, pricesOf = "changed" } = options;
  return context.sessions.changeCounted(sessionId, async (locked) => {
    const place = await changes.placeOfNext(locked.trx, "lookup", locked);
    const settled = await change(locked);
    if (settled === null) return null;
    if (staysStopped && locked.status === "failed") return { rows: settled };
    await changes.restartSession(locked, { isRequestedAgain, leftRows: options.leftRows ?? "as before" });
    const filled = locked.reuse_known ? await fillCachedRows(locked, termsOf(context, locked.processing_mode)) : 0;
    await enqueuePending(context, locked, place);
    const tally = locked.include_pricing ? await requestPrices(context, locked, pricesOf) : {};
    await changes.splitEvent(locked);
    return { ...tally, rows: settled + filled };
  });
}

/** Runs `work` if the job's session is running. Otherwise releases the job's rows with the attempts; returns null. */
export function ifRunning<T>(
  { db }: Context,
  job: Job,
  work: (locked: changes.LockedSession) => Promise<T>,
  attempts: readonly LookUp[] = [],
  waiting: changes.Waiting = {},
): Promise<T | null> {
  const change = async (locked: changes.SessionEvent): Promise<T | null> => {
    if (locked.status === "processing") return work(locked);
    await changes.splitEvent(locked, await rows.releaseRows(locked, job.id, attempts));
    return null;
  };
  return changes.changeSession(db, job.data.sessionId, change, waiting);
}

/** About what the database needs for a row besides its texts, with its indexes and its job. */
const ROW_BYTES = 1_000;

/** About the size of a session's record and its entries in the activity log, without texts. */
const SESSION_BYTES = 5_000;

/** About the size of a new session without its rows, for its owner's quota. `texts`: its name, header, and other texts. */
export function sizeOfSession(texts: readonly unknown[]): number {
  return charactersIn(texts) + SESSION_BYTES;
}

/** About the size of new rows, for the quota of their owner. */
export function sizeOfRows(rows: readonly object[]): number {
  return charactersIn(rows) + rows.length * ROW_BYTES;
}

/** Counts new or changed rows toward their owner's quota. @throws HttpError 409 if they grow and exceed the quota */
export async function demandRoom({ config }: Context, locked: changes.LockedSession, bytes: number): Promise<void> {
  const quotaMb = config.SHEETS_MB_PER_PERSON;
  const stored = await changes.addSheetBytes(locked, bytes);
  if (bytes <= 0 || stored <= quotaMb * 1_000_000) return;
  const quota = `${quotaMb.toLocaleString("en-US")} MB`;
  throw conflict(
    `You would store more than ${quota}, the most per person. Ask an administrator to delete old sessions or to raise the limit`,
  );
}

export function termsOf({ certs, config }: RunContext, mode: Mode): KnownTerms {
  return { sources: certs.knownSources(mode), days: config.KNOWN_CERT_DAYS };
}

/** Defers a card. Unless it waits alone, also defers the session's other pending cards that use its endpoints. */
export async function deferCard(
  context: Context,
  job: Job,
  deferral: Deferral,
  waiting: changes.Waiting = {},
): Promise<void> {
  const defer = async (locked: changes.LockedSession): Promise<void> => {
    const unneeded = await deferRows(locked, job.id, deferral);
    await context.jobs.cancel(locked.trx, lookupQueueOf(deferral.company), unneeded);
    await changes.splitEvent(locked);
  };
  await ifRunning(context, job, defer, deferral.attempts, waiting);
}

/**
 * Ends a session's cards of a company and mode whose endpoints are all closed: the job's card, if given, and all that are
 * pending or waiting. Cards under way end with their own answers.
 */
export async function endClosedCards(
  { jobs, sessions }: Context,
  sessionId: string,
  ending: Ending,
  waiting: changes.Waiting = {},
): Promise<void> {
  const end = async (locked: changes.SessionEvent) => {
    if (locked.status !== "processing") return null;
    const { count, unneeded } = await endRows(locked, ending);
    await cancelLookups(jobs, locked.trx, unneeded);
    await changes.splitEvent(locked);
    return { rows: count };
  };
  await sessions.changeCounted(sessionId, end, waiting);
}

/**
 * Creates jobs for pending rows that have none, in sheet order: for each company's first ROWS_A_PORTION rows, or for all
 * rows that a partial run retries. `place`: of the first job, counted from its lane's place.
 */
export async function enqueuePending(context: Context, locked: changes.LockedSession, place: number): Promise<void> {
  if (await changes.isPartial(locked)) {
    const jobs = Map.groupBy(await rows.giveJobs(locked), (job) => job.grading_company);
    for (const [company, list] of jobs)
      await enqueueCards(context, locked, list, (await changes.placeOfLane(locked.trx, LANE_OF[company])) + place);
    return;
  }
  for (const backlog of await backlogs.renewBacklogs(locked, place)) await enqueuePortion(context, locked, backlog);
}

/** Creates the next jobs of a backlog. */
export async function enqueuePortion(
  context: Context,
  locked: changes.LockedSession,
  backlog: backlogs.Backlog,
): Promise<void> {
  const { company, nextPlace } = backlog;
  const next = await backlogs.listNextRows(locked, backlog);
  const certNumbers = [...new Set(next.map(({ certNumber }) => certNumber))];
  const jobs = await rows.giveJobs(locked, { company, certNumbers });
  await enqueueCards(context, locked, jobs, nextPlace);
  const last = next.at(-1);
  const middle = jobs[Math.floor(jobs.length / 2)];
  if (!last || !middle || next.length < backlogs.ROWS_A_PORTION) return backlogs.deleteBacklog(locked, company);
  const rest = { company, nextRowId: last.id + 1, nextPlace: nextPlace + jobs.length };
  await backlogs.noteRowsGiven(locked, rest, { count: next.length, middleRowId: middle.rowId });
}

/** Counts the lookups ahead of a new one at this place, counted from the lane's. Duplicates without jobs count, too. */
export async function countLookupsAhead({ db, jobs }: Context, company: Company, place: number): Promise<number> {
  const last = (await changes.placeOfLane(db, LANE_OF[company])) + place;
  return (await jobs.countAhead(db, lookupQueueOf(company), last)) + (await backlogs.countRowsAhead(db, company, last));
}

/** Enqueues the jobs of a session's cards. A card at a lower place goes first. */
async function enqueueCards(
  { jobs }: Context,
  locked: changes.LockedSession,
  list: readonly rows.RowJob[],
  place: number,
): Promise<void> {
  const { sessionId, userId } = locked;
  const cards = list.map(({ job_id: id, grading_company }, index) => {
    return { id, queue: lookupQueueOf(grading_company), sessionId, userId, place: place + index };
  });
  await jobs.enqueue(locked.trx, cards);
}

/** Adds a retry of a PSA card that starts after `delayS` seconds. Returns its job. */
export async function enqueueRetry({ jobs }: Context, locked: changes.LockedSession, delayS: number) {
  const { trx, sessionId, userId } = locked;
  const place = await changes.placeOfNext(trx, "retry", locked);
  return jobs.enqueueRetry(trx, { sessionId, place, delayS, userId });
}

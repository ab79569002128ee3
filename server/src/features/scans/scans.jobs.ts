import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { LaneName } from "../../config.ts";
import { isUnstorable, type Database, type DatabaseTransaction } from "../../database/connection.ts";
import type { Found, NotFound } from "../../graders/grader.ts";
import { LOOKUP_QUEUES, RETRY_QUEUE, type Jobs, type Job } from "../../jobs/jobs.ts";
import { LaneClosedError, type WaitForCallSlot } from "../../lanes/lane.ts";
import { onBehalfOf } from "../../lanes/on-behalf-of.ts";
import type { CertsService } from "../certs/certs.service.ts";
import type { PricingService } from "../pricing/pricing.service.ts";
import * as rows from "./scan-rows.repo.ts";
import * as repo from "./scans.repo.ts";
import { requestImageComparison } from "./scans.images.ts";
import { askForPrices } from "./scans.prices.ts";
import { queuedColumns, queueFailureOf, settlementOf, type Settlement } from "./scans.rows.ts";
import type { ScanChangesService } from "./scan-changes.service.ts";
import { ifRunning, deferCard } from "./scans.waits.ts";

/*
 * A row names the job that may settle it (`job_id`). The job's way:
 *
 *   waiting for its lane → claimed (rows `processing`) → asked → settled (rows `completed` or `error`, job_id gone)
 *                                                            ↘ PSA did not answer: rows `queued`, a retry job takes over
 *       ↘ its endpoints are paused: rows `waiting`, without a job until `wakeWaiting` gives them one
 *
 * A job is delivered at least once. One that finds no open row of its own has nothing to do: the row was settled, or
 * another job took it over. One whose session was stopped puts its rows back to `pending` and ends.
 */

export type ScanJobsParts = {
  db: Database;
  jobs: Pick<Jobs, "workLookups" | "enqueue" | "enqueueRetry" | "enqueueImageComparison" | "cancel">;
  pricing: Pick<PricingService, "sourcesOn">;
  certs: CertsService;
  changes: Pick<ScanChangesService, "logCompleted">;
  delayMs: number;
  concurrency: Record<LaneName, number>;
  /** Seconds before each retry of a PSA card that was not answered in time. */
  retryDelaysS: readonly number[];
  report: (error: Error) => void;
};

/** Retries have delays of their own, in seconds. */
const RETRIES_APART_MS = 1_000;

/** Starts working the look-up queues of all lanes, and PSA's retry queue. */
export async function workScans(parts: ScanJobsParts): Promise<void> {
  const companies = { psa: "PSA", cgc: "CGC", tag: "TAG" } as const satisfies Partial<Record<LaneName, Company>>;
  for (const lane of ["psa", "cgc", "tag"] as const) {
    const width = parts.concurrency[lane];
    await parts.jobs.workLookups(LOOKUP_QUEUES[lane], { width, delayMs: parts.delayMs }, (job) =>
      runLookup(parts, companies[lane], job),
    );
  }
  const width = parts.concurrency.psa;
  await parts.jobs.workLookups(RETRY_QUEUE, { width, delayMs: RETRIES_APART_MS }, (job) =>
    runLookup(parts, "PSA", job),
  );
}

async function runLookup(parts: ScanJobsParts, company: Company, job: Job): Promise<"done" | "again"> {
  const { db, certs } = parts;
  // Asked before the lane, so that jobs of a stopped session, or before a closed endpoint, do not use up its starts.
  const card = await rows.findOpenCard(db, job.id);
  if (!card) return "done";
  // Resumed since it was read, the session goes on with this very job: its claimed rows are given no other.
  if (!card.isRunning && (await ifRunning(db, job, async () => true)) === null) return "done";
  const { mode } = card;
  const gate = await certs.gate(company, mode);
  if (gate.kind === "paused" || gate.kind === "probing") {
    await deferCard(parts, job, {
      company,
      mode,
      until: gate.until,
      outcome: gate.code,
      message: gate.message,
      attempts: [],
    });
    return "done";
  }
  try {
    await certs.inLane(company, (waitForCallSlot) => lookUpAndSettle(parts, company, job, waitForCallSlot));
  } catch (error) {
    if (error instanceof LaneClosedError) return "again";
    throw error;
  }
  return "done";
}

async function lookUpAndSettle(
  parts: ScanJobsParts,
  company: Company,
  job: Job,
  waitForCallSlot: WaitForCallSlot,
): Promise<void> {
  const { db, certs, changes } = parts;
  const { sessionId } = job.data;
  // Null when the session was stopped meanwhile, or when nothing is left to do.
  const card = await ifRunning(db, job, (trx, eventSeq) => rows.claimRows(trx, job.id, eventSeq));
  if (!card) return;
  const ask = () => certs.ask(company, card.certNumber, card.mode, waitForCallSlot);
  const { answer, attempts } = await onBehalfOf(card.userId, ask);
  if ("until" in answer) {
    const { code: outcome, message, until } = answer;
    return deferCard(parts, job, { company, mode: card.mode, until, outcome, message, attempts });
  }
  const { completed, userId } = await settleOrQueue(parts, company, job, card, { answer, attempts });
  if (completed) await changes.logCompleted(userId, sessionId);
}

type Settled = { completed: boolean; userId: string };
type Attempts = Awaited<ReturnType<CertsService["ask"]>>["attempts"];
/** An answer that ends a look-up, and the attempts that led to it. */
type Answered = { answer: Found | NotFound; attempts: Attempts };
const NOT_COMPLETED: Settled = { completed: false, userId: "" };

async function settleOrQueue(
  parts: ScanJobsParts,
  company: Company,
  job: Job,
  card: rows.OpenCard,
  answered: Answered,
): Promise<Settled> {
  const { answer, attempts } = answered;
  const settled = { company, certNumber: card.certNumber, isRetry: card.retries > 0 };
  const delayS = parts.retryDelaysS[card.retries];
  if (company === "PSA" && answer.code === "timeout" && delayS !== undefined) {
    try {
      await queueForRetry(parts, job, card, { answer, attempts }, delayS);
      return NOT_COMPLETED;
    } catch (error) {
      // Should the database itself be away, the next statement says so and the job comes again.
      parts.report(new Error(`PSA ${card.certNumber} could not be queued for a retry`, { cause: error }));
      const reason = error instanceof Error ? error.message : String(error);
      return settle(parts, job, answered, queueFailureOf(settled, answer, reason));
    }
  }
  return settle(parts, job, answered, settlementOf(settled, answer)).catch((error: unknown) => {
    if (!isUnstorable(error)) throw error;
    parts.report(new Error(`The answer about ${company} ${card.certNumber} cannot be stored`, { cause: error }));
    const unstorable: NotFound = {
      code: "unavailable",
      message: `${company}'s answer holds something that cannot be stored`,
    };
    const told = { answer: unstorable, attempts: withoutCard(attempts, unstorable) };
    return settle(parts, job, told, settlementOf(settled, unstorable));
  });
}

/** The attempt that brought the card comes to what the row comes to. */
function withoutCard(attempts: Attempts, { code, message }: NotFound): Attempts {
  return attempts.map((one) => (one.outcome === "found" ? { ...one, outcome: code, message: message } : one));
}

function settle(
  parts: ScanJobsParts,
  job: Job,
  { answer, attempts }: Answered,
  settlement: Settlement,
): Promise<Settled> {
  const { db, certs } = parts;
  const { sessionId } = job.data;
  return db.transaction().execute(async (trx) => {
    // Before the session's lock, which everybody waits for.
    await certs.remember(trx, answer);
    const event = await repo.nextEventSeq(trx, sessionId);
    if (!event) return NOT_COMPLETED;
    const { eventSeq } = event;
    const rowIds = await rows.settleRows(trx, job.id, eventSeq, settlement, attempts);
    if (answer.code === "found" && rowIds.length > 0) await requestImageComparison(trx, parts.jobs, answer.card);
    // The card in flight when a session is stopped gets its price with the rest, at a Resume.
    const asksPrices = event.includePricing && event.status === "processing" && answer.code === "found";
    const tally = asksPrices ? await askForPrices(parts, trx, { sessionId, eventSeq, rows: rowIds, again: false }) : {};
    return repo.addProcessed(trx, sessionId, { ...tally, rows: rowIds.length });
  });
}

async function queueForRetry(
  { db, jobs }: ScanJobsParts,
  job: Job,
  card: rows.OpenCard,
  { answer, attempts }: Answered & { answer: NotFound },
  delayS: number,
): Promise<void> {
  const queue = async (trx: DatabaseTransaction, eventSeq: number): Promise<void> => {
    const retryJobId = await jobs.enqueueRetry(trx, job.data.sessionId, delayS);
    const queued = queuedColumns({ company: "PSA", certNumber: card.certNumber, isRetry: true }, answer);
    await rows.queueRows(trx, job.id, retryJobId, eventSeq, queued, attempts);
  };
  await ifRunning(db, job, queue, attempts);
}

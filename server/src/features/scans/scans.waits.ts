import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import { lookupQueueOf, type Jobs, type Job } from "../../jobs/jobs.ts";
import { pause } from "../../pause.ts";
import type { CertsService } from "../certs/certs.service.ts";
import * as rows from "./scan-rows.repo.ts";
import * as waits from "./scan-waits.repo.ts";
import * as repo from "./scans.repo.ts";

/*
 * Rows whose endpoints are all paused wait without a job, so nothing stands in others' way. Every second the workers look
 * for rows whose time has come: they go on, or, when their endpoint is still paused, wait on. An endpoint whose pause is over
 * is tried with one card before the others follow. Rows whose endpoints are held by hand have no time (`waiting_until` is
 * null): whoever opens the endpoints ends their wait.
 */

type WaitsParts = { db: Database; jobs: Pick<Jobs, "enqueue" | "cancel">; certs: CertsService };

/**
 * Does something to a job's rows while their session runs; those of a stopped one are put back to `pending`, with the
 * attempts that were made.
 */
export function ifRunning<T>(
  db: Database,
  job: Job,
  work: (trx: DatabaseTransaction, eventSeq: number) => Promise<T>,
  attempts: readonly LookUp[] = [],
): Promise<T | null> {
  return db.transaction().execute(async (trx) => {
    const event = await repo.nextEventSeq(trx, job.data.sessionId);
    if (event?.status === "processing") return work(trx, event.eventSeq);
    if (event) await rows.releaseRows(trx, job.id, event.eventSeq, attempts);
    return null;
  });
}

/** Lets a card wait, and with it all of its session that would meet the same endpoints. */
export async function deferCard(
  { db, jobs }: Pick<WaitsParts, "db"> & { jobs: Pick<Jobs, "cancel"> },
  job: Job,
  deferral: waits.Deferral,
): Promise<void> {
  const defer = async (trx: DatabaseTransaction, eventSeq: number): Promise<void> => {
    const unneeded = await waits.deferRows(trx, job.data.sessionId, job.id, eventSeq, deferral);
    await jobs.cancel(trx, lookupQueueOf(deferral.company), unneeded);
    await repo.spreadEvent(trx, job.data.sessionId, eventSeq);
  };
  await ifRunning(db, job, defer, deferral.attempts);
}

/** Gives jobs to a session's pending rows that have none, in the order of the sheet, behind so many of its cards. */
export async function enqueuePending(
  jobs: Pick<Jobs, "enqueue">,
  trx: DatabaseTransaction,
  sessionId: string,
  cardsBefore = 0,
): Promise<void> {
  await jobs.enqueue(trx, lookupJobsOf(sessionId, await rows.giveJobs(trx, sessionId), cardsBefore));
}

/** The n-th card of each session has priority -n: ten cards uploaded now are not behind another's five thousand. */
export function lookupJobsOf(sessionId: string, list: readonly rows.RowJob[], cardsBefore = 0) {
  return list.map((job, index) => ({
    id: job.job_id,
    queue: lookupQueueOf(job.grading_company),
    sessionId,
    priority: -(cardsBefore + index),
  }));
}

/** An endpoint may open before its time: a limit was raised, calls counted ahead were given back, another card came through. */
const LOOK_AHEAD_EVERY = 10;

/** Looks every `everyMs` for rows whose wait is over until the signal aborts; resolves when the last look has ended. */
export async function wakeWaiting(
  parts: WaitsParts & { report: (error: Error) => void },
  everyMs: number,
  closing: AbortSignal,
): Promise<void> {
  const orReport = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      parts.report(new Error("Waiting rows could not be looked after; they are tried again", { cause: error }));
    }
  };
  for (let looks = 0; !closing.aborted; looks += 1) {
    if (looks % LOOK_AHEAD_EVERY === 0) await orReport(endNeedlessWaits(parts));
    await orReport(wakeDue(parts, orReport));
    await pause(everyMs, closing);
  }
}

async function endNeedlessWaits({ db, certs }: WaitsParts): Promise<void> {
  for (const { company, mode, isPausedManually, isTimed } of await waits.listWaitKinds(db)) {
    const gate = await certs.gate(company, mode);
    // Rows that were set aside, or in hand, just when their endpoint was opened or held by hand wait for what is no more.
    const isPausedManuallyNow = gate.kind === "paused" && gate.until === null;
    if (gate.kind === "open" || (isPausedManuallyNow ? isTimed : isPausedManually))
      await waits.endWaits(db, company, mode);
  }
}

/** One session's trouble is not the others'. */
async function wakeDue(parts: WaitsParts, orReport: (work: Promise<void>) => Promise<void>): Promise<void> {
  for (const wait of await waits.listDueWaits(parts.db)) await orReport(wake(parts, wait));
}

async function wake({ db, jobs, certs }: WaitsParts, wait: waits.DueWait): Promise<void> {
  const gate = await certs.gate(wait.company, wait.mode);
  if (gate.kind === "probing") return;
  await db.transaction().execute(async (trx) => {
    if (gate.kind === "due" && (await waits.hasCardUnderWay(trx, wait))) return;
    const event = await repo.nextEventSeq(trx, wait.sessionId);
    if (event?.status !== "processing") return;
    if (gate.kind === "paused") {
      const { until, code: outcome, message } = gate;
      await waits.extendWaits(trx, wait, event.eventSeq, { until, outcome, message });
    } else {
      await waits.wakeRows(trx, wait, event.eventSeq, gate.kind === "due" ? "first card" : "all");
      await enqueuePending(jobs, trx, wait.sessionId);
    }
    await repo.spreadEvent(trx, wait.sessionId, event.eventSeq);
  });
}

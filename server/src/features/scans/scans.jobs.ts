import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { LaneName } from "../../config.ts";
import { isUnstorable, type Database } from "../../database/connection.ts";
import type { Outcome } from "../../graders/grader.ts";
import { LOOKUP_QUEUES, type Jobs, type LookupJob } from "../../jobs/jobs.ts";
import { LaneClosedError } from "../../lanes/lane.ts";
import type { CertsService } from "../certs/certs.service.ts";
import * as repo from "./scans.repo.ts";
import { settlementOf, type Settlement } from "./scans.rows.ts";
import type { ScanChangesService } from "./scan-changes.service.ts";

/*
 * A row names the job that may settle it (`job_id`). The job's way:
 *
 *   waiting for its lane → claimed (rows `processing`) → asked → settled (rows `completed` or `error`, job_id gone)
 *
 * A job is delivered at least once. One that finds no open row of its own has nothing to do: the row was settled, or
 * another job took it over. One whose session was stopped puts its rows back to `pending` and ends.
 */

export type ScanJobsParts = {
  db: Database;
  jobs: Pick<Jobs, "workLookups">;
  certs: CertsService;
  changes: Pick<ScanChangesService, "logCompleted">;
  delayMs: number;
  concurrency: Record<LaneName, number>;
  report: (error: Error) => void;
};

/** From this delay on a worker's pause between batches (a second at most) costs nothing. */
const CALM_DELAY_MS = 1_000;

/** Starts working the look-up queues of all lanes. */
export async function workScans(parts: ScanJobsParts): Promise<void> {
  const companies = { psa: "PSA", cgc: "CGC", tag: "TAG" } as const satisfies Record<LaneName, Company>;
  for (const lane of ["psa", "cgc", "tag"] as const) {
    const width = parts.concurrency[lane];
    await parts.jobs.workLookups(LOOKUP_QUEUES[lane], { width, batchSize: batchSizeOf(parts.delayMs, width) }, (job) =>
      runLookup(parts, companies[lane], job),
    );
  }
}

/**
 * A batch in hand is not open to a more urgent card, so it is as small as can be: what is under way at once. Without
 * a delay it is twice that, as only batches of two and more are followed by the next one without a pause.
 */
function batchSizeOf(delayMs: number, width: number): number {
  return delayMs >= CALM_DELAY_MS ? width : width * 2;
}

async function runLookup(parts: ScanJobsParts, company: Company, job: LookupJob): Promise<"done" | "again"> {
  const { db, certs } = parts;
  // Asked before the lane, so that jobs of a stopped session do not use up its starts.
  if (!(await repo.isRunning(db, job.data.sessionId))) await release(db, job.data.sessionId, job.id);
  else if (await repo.hasOpenRows(db, job.id)) {
    try {
      await certs.inLane(company, () => lookUpAndSettle(parts, company, job));
    } catch (error) {
      if (error instanceof LaneClosedError) return "again";
      throw error;
    }
  }
  return "done";
}

async function lookUpAndSettle(parts: ScanJobsParts, company: Company, job: LookupJob): Promise<void> {
  const { db, certs, changes } = parts;
  const { sessionId } = job.data;
  const claim = await claimRows(db, sessionId, job.id);
  if (!claim) return;
  const outcome = await certs.ask(company, claim.certNumber, claim.mode);
  const settleAs = (settled: Outcome) => settle(parts, job, settled, settlementOf(company, claim.certNumber, settled));
  const { completed, userId } = await settleAs(outcome).catch((error: unknown) => {
    if (!isUnstorable(error)) throw error;
    parts.report(new Error(`The answer about ${company} ${claim.certNumber} cannot be stored`, { cause: error }));
    return settleAs({ code: "unavailable", message: `${company}'s answer holds something that cannot be stored` });
  });
  if (completed) await changes.logCompleted(userId, sessionId);
}

function settle(
  { db, certs }: ScanJobsParts,
  job: LookupJob,
  outcome: Outcome,
  settlement: Settlement,
): Promise<{ completed: boolean; userId: string }> {
  return db.transaction().execute(async (trx) => {
    const event = await repo.nextEventSeq(trx, job.data.sessionId);
    if (!event) return { completed: false, userId: "" };
    const count = await repo.settleRows(trx, job.id, event.eventSeq, settlement);
    await certs.remember(trx, outcome);
    return repo.addProcessed(trx, job.data.sessionId, count);
  });
}

/** Marks the job's rows as being looked up; null when the session was stopped meanwhile or nothing is left to do. */
async function claimRows(
  db: Database,
  sessionId: string,
  jobId: string,
): Promise<{ certNumber: string; mode: Mode } | null> {
  return db.transaction().execute(async (trx) => {
    const event = await repo.nextEventSeq(trx, sessionId);
    if (!event) return null;
    const isRunning = event.status === "processing";
    const certNumber = await repo.moveOpenRows(trx, jobId, isRunning ? "processing" : "pending", event.eventSeq);
    await repo.notify(trx, sessionId);
    return isRunning && certNumber !== null ? { certNumber, mode: event.mode } : null;
  });
}

/** The session was stopped or deleted: its rows wait as `pending` for a Resume. */
async function release(db: Database, sessionId: string, jobId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const event = await repo.nextEventSeq(trx, sessionId);
    if (!event) return;
    await repo.moveOpenRows(trx, jobId, "pending", event.eventSeq);
    await repo.notify(trx, sessionId);
  });
}

import type { RowStatus } from "@slabdesk/contract/api/results.ts";
import type { DatabaseTransaction } from "../database/connection.ts";
import { lookupQueueOf, RETRY_QUEUE, type Jobs } from "./jobs.ts";

/** A row's job. The job of a `queued` row is in PSA's retry queue. */
export type LookupJob = { job_id: string; grading_company: string; status: RowStatus };

/** Cancels look-up jobs that have not started. A started job ends without an open row. */
export async function cancelLookups(
  jobs: Pick<Jobs, "cancel">,
  trx: DatabaseTransaction,
  unneeded: readonly LookupJob[],
): Promise<void> {
  const queueOf = (job: LookupJob) => (job.status === "queued" ? RETRY_QUEUE : lookupQueueOf(job.grading_company));
  for (const [queue, list] of Map.groupBy(unneeded, queueOf)) {
    const ids = list.map((job) => job.job_id);
    await jobs.cancel(trx, queue, ids);
  }
}

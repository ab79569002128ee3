import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import { lookUpsAnd } from "./attempts.repo.ts";
import type { QueuedColumns } from "./row-columns.ts";
import { OPEN_STATUSES } from "./rows.repo.ts";

/* Rows of PSA's retry queue. To change them, the caller must hold the session's event number. */

/** Assigns a job's open rows to a retry job, sets them to `queued`, and appends the attempts. */
export async function queueRows(
  trx: DatabaseTransaction,
  jobId: string,
  retryJobId: string,
  eventSeq: number,
  queued: QueuedColumns,
  attempts: readonly LookUp[],
): Promise<void> {
  await trx
    .updateTable("scan_results")
    .set((eb) => ({
      ...queued,
      job_id: retryJobId,
      claimed_at: null,
      retries: eb("retries", "+", 1),
      look_ups: lookUpsAnd(attempts),
      event_seq: eventSeq,
    }))
    .where("job_id", "=", jobId)
    .where("status", "in", OPEN_STATUSES)
    .execute();
}

/** Assigns the single pending row of a new session to a retry job. Returns the row id. */
export async function queueNewRow(trx: DatabaseTransaction, sessionId: string, retryJobId: string): Promise<number> {
  const row = await trx
    .updateTable("scan_results")
    .set((eb) => ({
      status: "queued",
      item_name: eb(eb.val("Queued: "), "||", eb.ref("cert_number")),
      job_id: retryJobId,
      retries: 1,
    }))
    .where("session_id", "=", sessionId)
    .where("status", "=", "pending")
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

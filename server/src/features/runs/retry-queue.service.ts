import type { z } from "zod";
import type { QueueJob, retryPsaSchema, RowStatus } from "@slabdesk/contract/api/results.ts";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import type { Context } from "../../context.ts";
import { HttpError } from "../../http/http-error.ts";
import { presentRow, type RowRecord } from "../sessions/sessions.present.ts";
import { insertRows } from "./filled-rows.repo.ts";
import { demandRoom, enqueueRetry, sizeOfRows, sizeOfSession } from "./row-transactions.service.ts";
import { giveJobs, queueRows } from "./rows.repo.ts";
import { addScan, insertSession } from "../sessions/session-changes.service.ts";
import { judgeRows, queuedColumns } from "./row-columns.rules.ts";
import type { Authorized, Viewer } from "../sessions/sessions.service.ts";

const HEADER = ["CertNumber", "GradingCompany", "Price", "Notes"];

/* PSA's retry queue, for scripts. Each card becomes a session with one row, stored and shown like any other. */

/** Queues one PSA card. The first lookup starts immediately. @throws HttpError 400 if the number is invalid, 409 at the quota */
export async function retryPsa(context: Context, viewer: Viewer, card: z.output<typeof retryPsaSchema>) {
  const { db, activity } = context;
  const price = String(card.price ?? "");
  const notes = card.notes ?? "";
  const cells = [card.certNumber, "PSA", price, notes];
  const typed = { line: 2, cells, certNumber: card.certNumber, gradingCompany: "PSA", price, notes };
  const [row] = judgeRows([typed], { acceptCompanies: false });
  if (!row) throw new Error("judgeRows returned no row");
  if (row.status === "error") {
    const code = row.outcome === "invalid_number" ? row.outcome : "invalid_row";
    throw new HttpError(OUTCOMES[code].status, code, `Failed to queue PSA retry: ${row.processing_error}`);
  }
  const sessionName = `PSA retry ${row.cert_number}`;
  const { sessionId, rowId } = await db.transaction().execute(async (trx) => {
    const locked = await insertSession(trx, {
      user_id: viewer.id,
      session_name: sessionName,
      csv_filename: "retry-psa",
      header: HEADER,
      total_cards: 1,
      processing_mode: card.apiMode,
      include_pricing: false,
      reuse_known: false,
    });
    if (!locked) throw new Error("insertSession found a duplicate idempotency key, but the session has none");
    await demandRoom(context, locked, sizeOfSession([HEADER]) + sizeOfRows([typed]));
    await insertRows(locked, [row]);
    const retryJobId = await enqueueRetry(context, locked, 0);
    const queued = queuedColumns({ company: "PSA", certNumber: row.cert_number, isRetry: true }, null);
    const [job] = await giveJobs(locked);
    const [id] = job ? await queueRows(locked, job.job_id, retryJobId, queued) : [];
    if (id === undefined) throw new Error("queueRows found no row of the new session");
    await addScan(trx, viewer.id);
    return { sessionId: locked.sessionId, rowId: id };
  });
  await activity.log(viewer.id, "scan_session_created", `Created session ${sessionName}`, { sessionId });
  return { jobId: String(rowId) };
}

/** Returns the status of a queued card. Accepts any row id. */
export function statusOfRetry(row: Authorized<RowRecord>): QueueJob {
  const result = presentRow(row);
  const status = jobStatusOf(row.status);
  return {
    jobId: result.id,
    status,
    result: status === "completed" ? result : null,
    error: status === "failed" ? row.processing_error : null,
  };
}

function jobStatusOf(status: RowStatus): QueueJob["status"] {
  if (status === "completed_retry") return "completed";
  return status === "error" ? "failed" : status;
}

import { sql } from "kysely";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { LookupJob } from "../../jobs/jobs.ts";
import type { ClosedState } from "../../upstreams/breaker-rules.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import { errorColumns, errorMessage } from "./row-columns.rules.ts";
import { OPEN_STATUSES } from "./rows.repo.ts";

/* Rows that end without a look-up, because every endpoint is closed for their run. */

/** The rows to end, and the state that gives their outcome. The rows of the current job `jobId` end as well. */
export type Ending = { company: Company; mode: Mode; state: ClosedState; jobId: string | null };

/** Ends the rows in one statement. Returns their number and the jobs to cancel. */
export async function endRows(
  { trx, sessionId, eventSeq }: LockedSession,
  { company, mode, state, jobId }: Ending,
): Promise<{ count: number; unneeded: LookupJob[] }> {
  const { item_name: _, ...card } = errorColumns("");
  const emptyCard = sql.join(Object.entries(card).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
  const [before = "", after = ""] = errorMessage({ company, certNumber: CERT_NUMBER }, state).split(CERT_NUMBER);
  const message = sql`${before}::text || r.cert_number || ${after}`;
  const { rows } = await sql<Omit<LookupJob, "job_id"> & { job_id: string | null }>`
    WITH ending AS MATERIALIZED (
      SELECT r.id, r.job_id, r.grading_company, r.status, r.retries > 0 AS "isRetry"
      FROM scan_results AS r JOIN scan_sessions AS s ON s.id = r.session_id
      WHERE r.session_id = ${sessionId} AND (
        (r.job_id = ${jobId} AND r.status = ANY(${OPEN_STATUSES}))
        OR ((r.status = 'waiting' OR (r.status = 'pending' AND r.job_id IS NOT NULL)) AND r.grading_company = ${company}
          AND COALESCE(r.own_mode, s.processing_mode) = ${mode}))
    )
    UPDATE scan_results AS r SET ${emptyCard}, item_name = 'Error: ' || r.cert_number, source = NULL,
      status = CASE WHEN "isRetry" THEN 'failed' ELSE 'error' END, outcome = ${state.code}, processing_error = ${message},
      notes = CASE WHEN "isRetry" THEN 'Retry failed: ' ELSE 'Error: ' END || ${message},
      job_id = NULL, claimed_at = NULL, waiting_until = NULL, processed_at = now(), event_seq = ${eventSeq}
    FROM ending WHERE r.id = ending.id
    RETURNING ending.job_id, ending.grading_company, ending.status`.execute(trx);
  const unneeded = new Map<string, LookupJob>();
  for (const row of rows) {
    if (row.job_id !== null && row.job_id !== jobId) unneeded.set(row.job_id, { ...row, job_id: row.job_id });
  }
  return { count: rows.length, unneeded: [...unneeded.values()] };
}

/** Stands for each row's number in the message. */
const CERT_NUMBER = "\0";

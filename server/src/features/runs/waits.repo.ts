import { sql } from "kysely";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { firstOf, rowsOf, valuesOf } from "../../database/statements.ts";
import type { LookupJob } from "../../jobs/jobs.ts";
import type { ClosedState } from "../../upstreams/breaker-rules.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import { errorMessage } from "./row-columns.rules.ts";
import { assigned, FAILED_CARD, lookUpsAnd, OPEN_STATUSES, UNSETTLED } from "./rows.repo.ts";

/* Rows that wait for an endpoint, and those that end without a lookup, because every endpoint is closed for their run. */

const ROWS_OF_SESSIONS = sql`scan_results AS r JOIN scan_sessions AS s ON s.id = r.session_id`;
const MODE = sql`COALESCE(r.own_mode, s.processing_mode)`;
/** A row of the run that is pending. In a partial run, those without a job are left by a stop. */
const IS_PENDING = sql`(r.status = 'pending' AND (r.job_id IS NOT NULL OR NOT s.is_partial))`;

/**
 * `attempts` are those of the current job's card. `until` is null during a manual pause. `ownMode` is set if one of the
 * card's sources has failed: only this card waits, and only for the other source.
 */
export type Deferral = {
  company: string;
  mode: Mode;
  until: Date | null;
  code: OutcomeCode;
  message: string;
  attempts: readonly LookUp[];
  ownMode: Mode | null;
};

/** Sets the job's rows to `waiting`, and without an `ownMode` also the pending ones like it. Returns the jobs to cancel. */
export function deferRows(
  { trx, sessionId, eventSeq }: LockedSession,
  jobId: string,
  { company, mode, until, code, message, attempts, ownMode }: Deferral,
): Promise<string[]> {
  const lookUps = lookUpsAnd(attempts, sql.ref("r.look_ups"));
  return valuesOf<string>(trx)`
    WITH deferred AS MATERIALIZED (
      SELECT r.id, r.job_id FROM ${ROWS_OF_SESSIONS}
      WHERE r.session_id = ${sessionId} AND (
        (r.job_id = ${jobId} AND r.status = ANY(${OPEN_STATUSES}))
        OR (${ownMode === null} AND ${IS_PENDING} AND r.grading_company = ${company} AND ${MODE} = ${mode}))
    ), moved AS (
      UPDATE scan_results AS r SET status = 'waiting', waiting_until = ${until}, outcome = ${code},
        processing_error = ${message}, item_name = NULL, job_id = NULL, claimed_at = NULL, own_mode = COALESCE(${ownMode}, own_mode),
        look_ups = CASE WHEN deferred.job_id = ${jobId} THEN ${lookUps} ELSE r.look_ups END, event_seq = ${eventSeq}
      FROM deferred WHERE r.id = deferred.id
    )
    SELECT DISTINCT job_id FROM deferred WHERE job_id <> ${jobId}`;
}

export type DueWait = { sessionId: string; company: Company; mode: Mode; requestedAt: Date };

/**
 * Lists sessions with the time they were requested, companies and modes with waiting rows that are due. Their owners take
 * turns in random order, because the first card probes its endpoint: it must not always be the same person's bad card.
 */
export function listDueWaits(db: Database): Promise<DueWait[]> {
  return rowsOf<DueWait>(db)`
    SELECT r.session_id AS "sessionId", r.grading_company AS company, ${MODE} AS mode, s.requested_at AS "requestedAt"
    FROM ${ROWS_OF_SESSIONS}
    WHERE r.status = 'waiting' AND r.waiting_until <= now()
    GROUP BY 1, 2, 3, 4, s.user_id
    ORDER BY row_number() OVER (PARTITION BY s.user_id ORDER BY min(r.id)), random()`;
}

const isOf = (wait: DueWait) => sql<boolean>`
  r.session_id = ${wait.sessionId} AND r.grading_company = ${wait.company} AND ${MODE} = ${wait.mode}`;
const isDue = (wait: DueWait) => sql<boolean>`
  ${isOf(wait)} AND r.status = 'waiting' AND r.waiting_until <= now()`;

/** Sets due rows back to `pending`: all of them, or only those of the first card. */
export async function wakeRows({ trx, eventSeq }: LockedSession, wait: DueWait, which: "all" | "first card") {
  const first = sql`
    AND r.cert_number = (
      SELECT r.cert_number FROM ${ROWS_OF_SESSIONS}
      WHERE ${isDue(wait)} ORDER BY r.id LIMIT 1)`;
  await sql`
    UPDATE scan_results AS r SET status = 'pending', waiting_until = NULL, outcome = NULL, processing_error = NULL,
      event_seq = ${eventSeq}
    FROM scan_sessions AS s
    WHERE s.id = r.session_id AND ${isDue(wait)} ${which === "all" ? sql`` : first}`.execute(trx);
}

export async function extendWaits(
  { trx, eventSeq }: LockedSession,
  wait: DueWait,
  { until, code, message }: Pick<Deferral, "until" | "code" | "message">,
): Promise<void> {
  await sql`
    UPDATE scan_results AS r SET waiting_until = ${until}, outcome = ${code},
      processing_error = ${message}, event_seq = ${eventSeq}
    FROM scan_sessions AS s WHERE s.id = r.session_id AND ${isDue(wait)}`.execute(trx);
}

export type WaitKind = Omit<DueWait, "sessionId"> & { isPausedManually: boolean; isTimed: boolean };

/** Lists the companies and modes of waiting rows that are not due, and when their newest run was requested. */
export function listWaitKinds(db: Database): Promise<WaitKind[]> {
  return rowsOf<WaitKind>(db)`
    SELECT r.grading_company AS company, ${MODE} AS mode,
      bool_or(r.waiting_until IS NULL) AS "isPausedManually", bool_or(r.waiting_until IS NOT NULL) AS "isTimed",
      max(s.requested_at) AS "requestedAt"
    FROM ${ROWS_OF_SESSIONS}
    WHERE r.status = 'waiting' AND (r.waiting_until > now() OR r.waiting_until IS NULL) GROUP BY 1, 2`;
}

/**
 * Makes the waiting rows of a company, or of one of its modes, due now, one session at a time, because other changes
 * to these rows have to wait. Their sessions' locks are not held, so rows locked by another transaction are skipped to
 * avoid a deadlock.
 */
export async function endWaits(db: Database, company: Company, mode: Mode | null = null): Promise<void> {
  const areMeant = sql`
    r.status = 'waiting' AND r.grading_company = ${company} AND COALESCE(${MODE} = ${mode}, true)`;
  const sessionIds = await valuesOf<string>(db)`
    SELECT DISTINCT r.session_id FROM ${ROWS_OF_SESSIONS} WHERE ${areMeant}`;
  for (const sessionId of sessionIds) {
    await sql`
      WITH free AS MATERIALIZED (
        SELECT r.id FROM ${ROWS_OF_SESSIONS} WHERE r.session_id = ${sessionId} AND ${areMeant}
        FOR UPDATE OF r SKIP LOCKED
      )
      UPDATE scan_results AS r SET waiting_until = now() FROM free WHERE r.id = free.id`.execute(db);
  }
}

/** Whether a lookup of one of these rows' cards is pending or in progress. */
export async function hasCardUnderWay(trx: DatabaseTransaction, wait: DueWait): Promise<boolean> {
  const row = firstOf(trx)`
    SELECT 1 FROM ${ROWS_OF_SESSIONS} WHERE ${isOf(wait)} AND (${IS_PENDING} OR r.status = 'processing') LIMIT 1`;
  return (await row) !== null;
}

/** Sets waiting PSA rows back to `pending` in another mode. Returns the number of rows changed. */
export async function sendWaiting({ trx, sessionId, eventSeq }: LockedSession, mode: Mode): Promise<number> {
  const sent = await rowsOf(trx)`
    UPDATE scan_results SET ${assigned({ ...UNSETTLED, own_mode: mode, event_seq: eventSeq })}
    WHERE session_id = ${sessionId} AND status = 'waiting' AND grading_company = 'PSA' RETURNING id`;
  return sent.length;
}

/** The rows to end, and the state that gives their outcome. The rows of the current job `jobId` end as well. */
export type Ending = { company: Company; mode: Mode; state: ClosedState; jobId: string | null };

/** Ends the rows in one statement. Returns their number and the jobs to cancel. */
export async function endRows({ trx, sessionId, eventSeq }: LockedSession, { company, mode, state, jobId }: Ending) {
  const [before = "", after = ""] = errorMessage({ company, certNumber: CERT_NUMBER }, state).split(CERT_NUMBER);
  const message = sql`${before}::text || r.cert_number || ${after}`;
  const { rows } = await sql<LookupJob>`
    WITH ending AS MATERIALIZED (
      SELECT r.id, r.job_id, r.grading_company, r.status, r.retries > 0 AS "isRetry"
      FROM ${ROWS_OF_SESSIONS}
      WHERE r.session_id = ${sessionId} AND (
        (r.job_id = ${jobId} AND r.status = ANY(${OPEN_STATUSES}))
        OR ((r.status = 'waiting' OR ${IS_PENDING}) AND r.grading_company = ${company} AND ${MODE} = ${mode}))
    )
    UPDATE scan_results AS r SET ${FAILED_CARD},
      status = CASE WHEN "isRetry" THEN 'failed' ELSE 'error' END, outcome = ${state.code}, processing_error = ${message},
      notes = CASE WHEN "isRetry" THEN 'Retry failed: ' ELSE 'Error: ' END || ${message},
      job_id = NULL, claimed_at = NULL, waiting_until = NULL, processed_at = now(), event_seq = ${eventSeq}
    FROM ending WHERE r.id = ending.id
    RETURNING ending.job_id, ending.grading_company, ending.status`.execute(trx);
  return { count: rows.length, unneeded: rows.filter((row) => row.job_id !== jobId) };
}

/** Stands for each row's number in the message. */
const CERT_NUMBER = "\0";

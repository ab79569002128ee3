import { sql, type Transaction } from "kysely";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { RowStatus } from "@slabdesk/contract/api/results.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import { CARD_COLUMN_NAMES } from "../../database/card-columns.ts";
import type { Database } from "../../database/connection.ts";
import type { Schema } from "../../database/schema.ts";
import { pricesOf } from "../../database/row-prices.ts";
import { lookUpsAnd } from "./attempts.repo.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";
import { NO_CARD, type NewRow, type Settlement } from "./row-columns.ts";

/* The rows of a running session. The caller must hold the session's lock and event number (`nextEventSeq`). */

type Trx = Transaction<Schema>;

/** Statuses of rows that their job can still settle. */
export const OPEN_STATUSES = ["pending", "processing", "queued"] as const satisfies readonly RowStatus[];
const ROWS_PER_INSERT = 2_000;

/** Inserts rows in the order given, 2,000 per statement. */
export async function insertRows(
  trx: Trx,
  { sessionId, userId, eventSeq }: { sessionId: string; userId: string; eventSeq: number },
  rows: readonly NewRow[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const chunk = JSON.stringify(rows.slice(at, at + ROWS_PER_INSERT));
    await sql`
      INSERT INTO scan_results (
        session_id, user_id, event_seq, processed_at, line, cells, sheet_notes, sheet_card, status, outcome, job_id,
        cert_number, grading_company, price, price_text, customer_price, notes, processing_error, warnings,
        ${sql.join(CARD_COLUMN_NAMES.map((name) => sql.ref(name)))})
      SELECT ${sessionId}, ${userId}, ${eventSeq}, CASE WHEN status = 'error' THEN now() END, line, cells, sheet_notes,
        sheet_card, status, outcome, job_id, cert_number, grading_company, price, price_text, customer_price, notes,
        processing_error, warnings, ${sql.join(CARD_COLUMN_NAMES.map((name) => sql.ref(name)))}
      FROM ROWS FROM (jsonb_to_recordset(${chunk}::jsonb) AS (
        line integer, cells jsonb, sheet_notes text, sheet_card jsonb, status text, outcome text, job_id uuid,
        cert_number text, grading_company text, price numeric, price_text text, customer_price text, notes text,
        processing_error text, warnings jsonb, ${sql.join(CARD_COLUMN_NAMES.map((name) => sql`${sql.ref(name)} text`))}
      )) WITH ORDINALITY
      ORDER BY ordinality`.execute(trx);
  }
}

export type RowJob = { job_id: string; grading_company: string };

/** Returns the jobs of a session's pending rows, in sheet order. */
export async function listPendingJobs(trx: Trx, sessionId: string): Promise<RowJob[]> {
  const { rows } = await sql<RowJob>`
    SELECT job_id, grading_company FROM scan_results
    WHERE session_id = ${sessionId} AND status = 'pending' AND job_id IS NOT NULL
    GROUP BY job_id, grading_company ORDER BY min(id)`.execute(trx);
  return rows;
}

/**
 * Settles a job's open rows and appends the attempts. Returns the row ids. A second call for the same job changes
 * nothing.
 */
export async function settleRows(
  trx: Trx,
  jobId: string,
  eventSeq: number,
  { notes, ...settlement }: Settlement,
  attempts: readonly LookUp[],
): Promise<number[]> {
  const rows = await trx
    .updateTable("scan_results")
    .set({
      ...settlement,
      ...(notes === null ? {} : { notes: noteWithSheet(notes, settlement.status) }),
      event_seq: eventSeq,
      job_id: null,
      claimed_at: null,
      look_ups: lookUpsAnd(attempts),
      processed_at: sql`now()`,
    })
    .where("job_id", "=", jobId)
    .where("status", "in", OPEN_STATUSES)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * For a found card, appends the note to the sheet's note. For an error, the note replaces it; the original stays in
 * `sheet_notes`.
 */
function noteWithSheet(notes: string, status: RowStatus) {
  return status === "completed" || status === "completed_retry"
    ? sql<string>`concat_ws(' · ', nullif(sheet_notes, ''), ${notes}::text)`
    : notes;
}

/** Assigns a job to each cert with pending rows that have none. Returns the jobs in sheet order. */
export async function giveJobs(trx: Trx, sessionId: string): Promise<RowJob[]> {
  // Join only by primary key. Rows just updated have no statistics, so the planner would use nested loops for other
  // joins.
  const { rows } = await sql<RowJob>`
    WITH card AS MATERIALIZED (
      SELECT id, grading_company, first_value(job_id) OVER cert AS job_id, first_value(id) OVER cert AS first
      FROM (
        SELECT id, grading_company, cert_number, gen_random_uuid() AS job_id FROM scan_results
        WHERE session_id = ${sessionId} AND status = 'pending' AND job_id IS NULL
      ) AS pending
      WINDOW cert AS (PARTITION BY grading_company, cert_number ORDER BY id)
    ), given AS (
      UPDATE scan_results AS r SET job_id = card.job_id FROM card WHERE r.id = card.id
    )
    SELECT job_id, grading_company FROM card WHERE id = first ORDER BY id`.execute(trx);
  return rows;
}

/** Counts a session's open cards (distinct jobs). */
export async function countOpenJobs(trx: Trx, sessionId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("scan_results")
    .select((eb) => eb.fn.count<number>("job_id").distinct().as("count"))
    .where("session_id", "=", sessionId)
    .where("status", "in", OPEN_STATUSES)
    .executeTakeFirstOrThrow();
  return count;
}

/** A card that a job can still settle, its owner, and whether its session is running. */
export type OpenCard = {
  userId: string;
  company: string;
  certNumber: string;
  mode: Mode;
  retries: number;
  isRunning: boolean;
};

const OPEN_CARD = sql`
  r.user_id AS "userId", r.grading_company AS company, r.cert_number AS "certNumber", r.retries,
  COALESCE(r.own_mode, s.processing_mode) AS mode, s.status = 'processing' AS "isRunning"`;

/** Returns a job's card, or null if the job has no open rows. */
export async function findOpenCard(db: Database, jobId: string): Promise<OpenCard | null> {
  const { rows } = await sql<OpenCard>`
    SELECT ${OPEN_CARD} FROM scan_results AS r JOIN scan_sessions AS s ON s.id = r.session_id
    WHERE r.job_id = ${jobId} AND r.status = ANY(${OPEN_STATUSES})
    LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Claims a job's open rows and sets them to `processing`; rows of the retry queue stay `queued` until they settle.
 * Returns their card, or null if no open row is left.
 */
export async function claimRows(trx: Trx, jobId: string, eventSeq: number): Promise<OpenCard | null> {
  const { rows } = await sql<OpenCard>`
    UPDATE scan_results AS r SET attempts = attempts + 1, claimed_at = now(), event_seq = ${eventSeq},
      status = CASE WHEN r.status = 'queued' THEN r.status ELSE 'processing' END
    FROM scan_sessions AS s
    WHERE s.id = r.session_id AND r.job_id = ${jobId} AND r.status = ANY(${OPEN_STATUSES})
    RETURNING ${OPEN_CARD}`.execute(trx);
  return rows[0] ?? null;
}

/** Column values that reset a row for a new look-up. */
export const UNSETTLED = {
  ...NO_CARD,
  status: "pending" as const,
  outcome: null,
  source: null,
  waiting_until: null,
  processing_error: null,
  processed_at: null,
  job_id: null,
  claimed_at: null,
  same_sides: false,
  reviewed_at: null,
};

/** Sets a job's open rows back to `pending` without a job, and appends the attempts. */
export async function releaseRows(
  trx: Trx,
  jobId: string,
  eventSeq: number,
  attempts: readonly LookUp[],
): Promise<void> {
  await trx
    .updateTable("scan_results")
    .set({ ...UNSETTLED, look_ups: lookUpsAnd(attempts), event_seq: eventSeq })
    .where("job_id", "=", jobId)
    .where("status", "in", OPEN_STATUSES)
    .execute();
}

/**
 * Sets a stopped session's unclaimed `pending`, `queued` and `waiting` rows back to `pending` without a job. Returns
 * the jobs to cancel.
 */
export async function releaseSession(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
): Promise<(RowJob & { status: RowStatus })[]> {
  const { rows } = await sql<RowJob & { status: RowStatus }>`
    SELECT DISTINCT job_id, grading_company, status FROM scan_results
    WHERE session_id = ${sessionId} AND status IN ('pending', 'queued') AND claimed_at IS NULL AND job_id IS NOT NULL`.execute(
    trx,
  );
  await trx
    .updateTable("scan_results")
    .set({
      ...UNSETTLED,
      // Rows that were already `pending` don't need a new event.
      event_seq: sql`CASE WHEN status = 'pending' THEN event_seq ELSE ${eventSeq} END`,
    })
    .where("session_id", "=", sessionId)
    .where("status", "in", ["pending", "queued", "waiting"])
    .where("claimed_at", "is", null)
    .execute();
  return rows;
}

/**
 * Sets failed rows back to `pending`, except those with an invalid row or number. Returns the number of rows changed.
 */
export async function reopenRows(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
  which: { outcomes: readonly OutcomeCode[] } | { rowIds: readonly number[] },
): Promise<number> {
  const rows = await trx
    .updateTable("scan_results")
    .set((eb) => ({ ...UNSETTLED, retries: 0, own_mode: null, notes: eb.ref("sheet_notes"), event_seq: eventSeq }))
    .where("session_id", "=", sessionId)
    .where("status", "in", ["error", "failed"])
    .where((eb) =>
      "rowIds" in which ? sql<boolean>`id = ANY(${which.rowIds}::bigint[])` : eb("outcome", "in", which.outcomes),
    )
    .where("outcome", "not in", ["invalid_row", "invalid_number"])
    .returning("id")
    .execute();
  return rows.length;
}

/** Corrects a failed row's cert number and sets it back to `pending`. Returns false if the row had not failed. */
export async function renumberRow(
  trx: Trx,
  rowId: number,
  eventSeq: number,
  row: { grading_company: string; cert_number: string; warnings: string[] },
): Promise<boolean> {
  const changed = await trx
    .updateTable("scan_results")
    .set((eb) => ({
      ...UNSETTLED,
      ...row,
      warnings: JSON.stringify(row.warnings),
      retries: 0,
      own_mode: null,
      notes: eb.ref("sheet_notes"),
      event_seq: eventSeq,
    }))
    .where("id", "=", rowId)
    .where("status", "in", ["error", "failed"])
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

/** Returns the line numbers and original cells of the session's rows on these lines. */
export async function listStoredLines(
  trx: Trx,
  sessionId: string,
  lines: readonly number[],
): Promise<Pick<RowRecord, "line" | "cells">[]> {
  return trx
    .selectFrom("scan_results")
    .select(["line", "cells"])
    .where("session_id", "=", sessionId)
    .where("line", "in", lines)
    .execute();
}

export type DeletedRow = Pick<RowRecord, "status" | "job_id" | "claimed_at" | "grading_company" | "prices"> & {
  /** Whether other rows share the job. */
  is_shared: boolean;
};

/** Deletes a row. Returns null if it does not exist. */
export async function deleteRow(trx: Trx, rowId: number): Promise<DeletedRow | null> {
  const row = await trx
    .deleteFrom("scan_results as r")
    .where("r.id", "=", rowId)
    .returning((eb) => [
      "r.status",
      "r.job_id",
      "r.claimed_at",
      "r.grading_company",
      pricesOf("r").as("prices"),
      eb
        .exists(
          eb
            .selectFrom("scan_results as other")
            .select("other.id")
            .whereRef("other.job_id", "=", "r.job_id")
            .whereRef("other.id", "<>", "r.id"),
        )
        .as("is_shared"),
    ])
    .executeTakeFirst();
  return row ? { ...row, is_shared: Boolean(row.is_shared) } : null;
}

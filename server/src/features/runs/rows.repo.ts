import { sql, type RawBuilder, type UpdateObject } from "kysely";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { type RowStatus, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { PREPARED, type Database } from "../../database/connection.ts";
import { rowsAfter } from "../../database/row-order.ts";
import { pricesOf } from "../../database/row-prices.ts";
import type { Schema } from "../../database/schema.ts";
import { PART_OF_CARD } from "../../database/rows-of-a-job.ts";
import { firstOf, rowsOf, valuesOf } from "../../database/statements.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";
import { errorColumns, NO_CARD, type QueuedColumns, type Settlement } from "./row-columns.rules.ts";

/* The rows of a running session. */

const MOST_KEPT = 20;

/** The current time, in the format of the attempts. */
export const AT_NOW = atText(sql`now()`);

/** Formats a timestamp as JSON does: ISO 8601 in UTC with milliseconds. */
export function atText(time: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Appends attempts to `look_ups` and keeps the newest `MOST_KEPT`. */
export function lookUpsAnd(more: readonly LookUp[] | RawBuilder<unknown>, before = sql.ref("look_ups")) {
  const added = "toOperationNode" in more ? more : sql`${JSON.stringify(more)}::jsonb`;
  return sql<string>`jsonb_path_query_array(${before} || ${added}, ${`$[last - ${MOST_KEPT - 1} to last]`}::jsonpath)`;
}

/** Sets these columns of a row in an UPDATE. */
export function assigned(columns: Record<string, unknown>) {
  return sql.join(Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));
}

/** The card of a row `r` that failed. */
export const FAILED_COLUMNS = {
  ...errorColumns(""),
  item_name: sql`'Error: ' || COALESCE(NULLIF(r.cert_number, ''), ${sql.lit(NOT_AVAILABLE)})`,
};
/** Sets the card of a row `r` that failed, in an UPDATE. */
export const FAILED_CARD = assigned({ ...FAILED_COLUMNS, source: null });

/** Statuses of rows that their job can still settle. */
export const OPEN_STATUSES = ["pending", "processing", "queued"] as const satisfies readonly RowStatus[];

const NOT_OPEN_STATUSES = [
  "waiting",
  "completed",
  "error",
  "completed_retry",
  "failed",
] as const satisfies readonly RowStatus[];
/**
 * Whether a job can still settle a row with this status. If it named the open statuses, PostgreSQL might read all open
 * rows of a new sheet from their index, because for about a minute it expects only a few of them.
 */
const isOpen = (status: string) => sql<boolean>`${sql.ref(status)} <> ALL(${NOT_OPEN_STATUSES})`;

/** A pending row without a job. */
export const NEEDS_JOB = sql<boolean>`(status = 'pending' AND job_id IS NULL)`;
/** A new job, and the first of its rows. */
export type RowJob = { job_id: string; grading_company: Company; rowId: number };

type RowUpdate = UpdateObject<Schema, "scan_results">;

async function updateOpenRows({ trx, eventSeq }: LockedSession, jobId: string, columns: RowUpdate): Promise<number[]> {
  const rows = await trx
    .updateTable("scan_results")
    .set({ ...columns, event_seq: eventSeq })
    .where("job_id", "=", jobId)
    .where(isOpen("status"))
    .returning("id")
    .modifyEnd(PREPARED)
    .execute();
  return rows.map(({ id }) => id);
}

/** Settles a job's open rows and appends the attempts. Returns the row ids; none in a second call for the same job. */
export function settleRows(
  locked: LockedSession,
  jobId: string,
  { notes, ...settlement }: Settlement,
  attempts: readonly LookUp[],
): Promise<number[]> {
  // The note of an error replaces the sheet's note; the original stays in `sheet_notes`.
  const withSheets = sql<string>`concat_ws(' · ', nullif(sheet_notes, ''), nullif(${notes}::text, ''))`;
  return updateOpenRows(locked, jobId, {
    ...settlement,
    ...(settlement.outcome === "found" && settlement.item_name !== NOT_AVAILABLE && { entry: null }),
    notes: settlement.outcome === "found" ? withSheets : notes,
    job_id: null,
    claimed_at: null,
    look_ups: lookUpsAnd(attempts),
    processed_at: sql`now()`,
  });
}

/** Moves a job's open rows to a job of PSA's retry queue and appends the attempts. Returns the row ids. */
export function queueRows(
  locked: LockedSession,
  jobId: string,
  retryJobId: string,
  queued: QueuedColumns,
  attempts: readonly LookUp[] = [],
): Promise<number[]> {
  const retries = sql<number>`retries + 1`;
  const columns = { ...queued, job_id: retryJobId, claimed_at: null, retries, look_ups: lookUpsAnd(attempts) };
  return updateOpenRows(locked, jobId, columns);
}

/** Limits to the rows that run: in a partial run, only those of the present change. */
export const inRun = ({ sessionId, eventSeq }: LockedSession) => sql<boolean>`
  (event_seq = ${eventSeq} OR NOT (SELECT is_partial FROM scan_sessions WHERE id = ${sessionId}))`;

/** Assigns jobs to the run's pending rows that have none, or to those of `only`. Returns the jobs in sheet order. */
export function giveJobs(
  locked: LockedSession,
  only?: { company: string; certNumbers: readonly string[] },
): Promise<RowJob[]> {
  const { trx, sessionId } = locked;
  const isMeant = only
    ? sql`grading_company = ${only.company} AND cert_number = ANY(${only.certNumbers}::text[])`
    : inRun(locked);
  // Join only by primary key. Rows just updated have no statistics, so other joins would be nested loops.
  return rowsOf<RowJob>(trx)`
    WITH card AS MATERIALIZED (
      SELECT id, grading_company, first_value(job_id) OVER cert AS job_id, first_value(id) OVER cert AS first
      FROM (
        SELECT id, grading_company, cert_number, gen_random_uuid() AS job_id, ${PART_OF_CARD} AS part FROM scan_results
        WHERE session_id = ${sessionId} AND ${NEEDS_JOB} AND ${isMeant}
      ) AS pending
      WINDOW cert AS (PARTITION BY grading_company, cert_number, part ORDER BY id)
    ), given AS (
      UPDATE scan_results AS r SET job_id = card.job_id FROM card WHERE r.id = card.id
    )
    SELECT job_id, grading_company, id AS "rowId" FROM card WHERE id = first ORDER BY id`;
}

/** A card that a job can still settle, its owner, whether its session is running, and when it was last requested. */
export type OpenCard = {
  userId: string;
  company: string;
  certNumber: string;
  mode: Mode;
  retries: number;
  isRunning: boolean;
  requestedAt: Date;
};

const OPEN_CARD = sql`
  r.user_id AS "userId", r.grading_company AS company, r.cert_number AS "certNumber", r.retries,
  COALESCE(r.own_mode, s.processing_mode) AS mode, s.status = 'processing' AS "isRunning",
  s.requested_at AS "requestedAt"`;

export function findOpenCard(db: Database, jobId: string): Promise<OpenCard | null> {
  return firstOf<OpenCard>(db)`
    SELECT ${OPEN_CARD} FROM scan_results AS r JOIN scan_sessions AS s ON s.id = r.session_id
    WHERE r.job_id = ${jobId} AND ${isOpen("r.status")}
    LIMIT 1 ${PREPARED}`;
}

/** Sets the open rows of these jobs to `processing`, unless they are of the retry queue. Returns the rows' cards. */
export function claimRows({ trx, eventSeq }: LockedSession, jobIds: readonly string[]) {
  return rowsOf<OpenCard & { id: number; jobId: string }>(trx)`
    UPDATE scan_results AS r SET attempts = attempts + 1, claimed_at = now(), event_seq = ${eventSeq},
      status = CASE WHEN r.status = 'queued' THEN r.status ELSE 'processing' END
    FROM scan_sessions AS s
    WHERE s.id = r.session_id AND r.job_id = ANY(${jobIds}::uuid[]) AND ${isOpen("r.status")}
    RETURNING r.id, r.job_id AS "jobId", ${OPEN_CARD}`;
}

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

/** Sets a job's open rows back to `pending` without a job, and appends the attempts. Returns the row ids. */
export function releaseRows(locked: LockedSession, jobId: string, attempts: readonly LookUp[]) {
  return updateOpenRows(locked, jobId, { ...UNSETTLED, look_ups: lookUpsAnd(attempts) });
}

/** Sets a stopped session's unclaimed `pending`, `queued` and `waiting` rows back to `pending` without a job. */
export async function releaseSession({ trx, sessionId, eventSeq }: LockedSession): Promise<void> {
  await trx.deleteFrom("job_backlogs").where("session_id", "=", sessionId).execute();
  // Rows that were already `pending` don't need a new event.
  const event_seq = sql<number>`CASE WHEN status = 'pending' THEN event_seq ELSE ${eventSeq} END`;
  await trx
    .updateTable("scan_results")
    .set({ ...UNSETTLED, event_seq })
    .where("session_id", "=", sessionId)
    .where("status", "in", ["pending", "queued", "waiting"])
    .where("claimed_at", "is", null)
    .where(sql<boolean>`NOT ${NEEDS_JOB}`)
    .execute();
}

function reopen({ trx, sessionId, eventSeq }: LockedSession) {
  const notes = sql<string>`sheet_notes`;
  return trx
    .updateTable("scan_results")
    .set({ ...UNSETTLED, retries: 0, own_mode: null, notes, event_seq: eventSeq })
    .where("session_id", "=", sessionId)
    .returning("id");
}

const HAS_FAILED = sql<boolean>`status IN ('error', 'failed')`;

/**
 * Reopens failed rows, except those with an invalid row or number. Rows chosen by id may also be found ones whose card
 * was entered by hand. Returns the number of rows changed.
 */
export async function reopenRows(
  locked: LockedSession,
  which: { outcomes: readonly OutcomeCode[] } | { rowIds: readonly number[] },
): Promise<number> {
  const entry = sql<string>`CASE WHEN outcome = 'found'
    THEN entry || jsonb_build_object('front', front_image_url, 'back', back_image_url) ELSE entry END`;
  const rows = await reopen(locked)
    .set({ entry })
    .where((eb) =>
      "rowIds" in which
        ? sql<boolean>`id = ANY(${which.rowIds}::bigint[]) AND (${HAS_FAILED} OR (outcome = 'found' AND source IN ('hand', 'known') AND entry IS NOT NULL))`
        : eb.and([HAS_FAILED, eb("outcome", "in", which.outcomes)]),
    )
    .where("outcome", "not in", ["invalid_row", "invalid_number"])
    .execute();
  return rows.length;
}

export type Renumbering = { row_id: number; grading_company: string; cert_number: string; warnings: readonly string[] };

/** Corrects failed rows' cert numbers and reopens the rows. Returns the new numbers. */
export async function renumberRows(locked: LockedSession, changes: readonly Renumbering[]): Promise<string[]> {
  if (changes.length === 0) return [];
  const records = sql<Renumbering>`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)`;
  const columns = sql`change(row_id bigint, grading_company text, cert_number text, warnings jsonb)`;
  const changed = await reopen(locked)
    .from(records.as<"change">(columns))
    .set({
      grading_company: sql<string>`change.grading_company`,
      cert_number: sql<string>`change.cert_number`,
      warnings: sql<string>`change.warnings`,
      entry: null,
    })
    .where(sql<boolean>`scan_results.id = change.row_id`)
    .where(HAS_FAILED)
    .returning("scan_results.cert_number")
    .execute();
  return changed.map(({ cert_number }) => cert_number);
}

export type FailedRow = Pick<RowRecord, "id" | "cert_number" | "grading_company" | "price_text" | "sheet_card">;
/** Few enough not to delay other requests. */
const FAILED_A_PAGE = 500;

/** Reads failed rows in pages: those with these ids and outcomes; null stands for all. */
export async function* listFailedRows(
  { trx, sessionId }: LockedSession,
  { rowIds, outcomes }: { rowIds: readonly number[] | null; outcomes: readonly OutcomeCode[] | null },
): AsyncGenerator<FailedRow[]> {
  for (let lastId = 0; ;) {
    const page = await trx
      .selectFrom("scan_results")
      .select(["id", "cert_number", "grading_company", "price_text", "sheet_card"])
      .where(rowsAfter(sessionId, lastId))
      .where(HAS_FAILED)
      .$if(rowIds !== null, (query) => query.where(sql<boolean>`id = ANY(${rowIds}::bigint[])`))
      .$if(outcomes !== null, (query) => query.where("outcome", "in", outcomes))
      .orderBy("session_id")
      .orderBy("id")
      .limit(FAILED_A_PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    yield page;
    lastId = last.id;
  }
}

export function listStoredLines({ trx, sessionId }: LockedSession, lines: readonly number[]) {
  return rowsOf<Pick<RowRecord, "line" | "cells">>(trx)`
    SELECT line, cells FROM scan_results WHERE session_id = ${sessionId} AND line = ANY(${lines})`;
}

/** Deletes these rows of the session. Returns what they were. */
export function deleteRows({ trx, sessionId }: LockedSession, rowIds: readonly number[]) {
  type Deleted = Pick<RowRecord, "status" | "job_id" | "claimed_at" | "grading_company" | "prices">;
  return rowsOf<Deleted>(trx)`
    DELETE FROM scan_results AS r WHERE r.session_id = ${sessionId} AND r.id = ANY(${rowIds}::bigint[])
    RETURNING r.status, r.job_id, r.claimed_at, r.grading_company, ${pricesOf("r")} AS prices`;
}

export async function listUsedJobs({ trx }: LockedSession, jobIds: readonly string[]): Promise<Set<string>> {
  return new Set(await valuesOf<string>(trx)`SELECT job_id FROM scan_results WHERE job_id = ANY(${jobIds}::uuid[])`);
}

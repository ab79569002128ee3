import { sql } from "kysely";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import { rowsAfter } from "../../database/row-order.ts";
import { numberOf, rowsOf, valuesOf } from "../../database/statements.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import { NEEDS_JOB } from "./rows.repo.ts";

/* The rows of a run that have no job yet. */

/** How many rows of a company get jobs at a time. At one card every five seconds, they last almost three hours. */
export const ROWS_A_PORTION = 2_000;

/** Which row of which company gets a job next, and at which place. */
export type Backlog = { company: Company; nextRowId: number; nextPlace: number };

/** The place of the lane of a row's company. */
const PLACE_OF_LANE = sql<number>`(SELECT place FROM lanes WHERE name = lower(grading_company))`;

const IS_DUE = sql<boolean>`NOT EXISTS (
  SELECT FROM scan_results AS middle
  WHERE middle.id = b.middle_row_id AND middle.status = 'pending' AND middle.job_id IS NOT NULL)`;

/** Counts a run's rows without jobs again. `place`: of a new backlog, counted from its lane's place. Returns the due ones. */
export async function renewBacklogs({ trx, sessionId }: LockedSession, place: number): Promise<Backlog[]> {
  const backlogs = await rowsOf<Backlog & { isDue: boolean }>(trx)`
    INSERT INTO job_backlogs AS b (session_id, grading_company, rows_left, next_row_id, next_place)
    SELECT session_id, grading_company, count(*), min(id), ${PLACE_OF_LANE} + ${place} FROM scan_results
    WHERE session_id = ${sessionId} AND ${NEEDS_JOB} GROUP BY 1, 2
    ON CONFLICT (session_id, grading_company) DO UPDATE
    SET rows_left = EXCLUDED.rows_left, next_row_id = EXCLUDED.next_row_id
    RETURNING grading_company AS company, next_row_id AS "nextRowId", next_place AS "nextPlace", ${IS_DUE} AS "isDue"`;
  return backlogs.filter(({ isDue }) => isDue);
}

/** Estimates how many rows of all runs will get a job before this place. */
export function countRowsAhead(db: Database, company: Company, place: number): Promise<number> {
  return numberOf(db)`
    SELECT sum(least(rows_left, greatest(0, ${place}::int - next_place + 1)))::int FROM job_backlogs
    WHERE grading_company = ${company}`;
}

export function listDueBacklogs({ trx, sessionId }: LockedSession): Promise<Backlog[]> {
  return rowsOf<Backlog>(trx)`
    SELECT grading_company AS company, next_row_id AS "nextRowId", next_place AS "nextPlace"
    FROM job_backlogs AS b WHERE session_id = ${sessionId} AND ${IS_DUE}`;
}

export function listSessionsThatNeedJobs(db: Database): Promise<string[]> {
  return valuesOf<string>(db)`SELECT DISTINCT session_id FROM job_backlogs AS b WHERE ${IS_DUE}`;
}

/** Returns a backlog's next rows without jobs, up to ROWS_A_PORTION, in sheet order. */
export function listNextRows({ trx, sessionId }: LockedSession, { company, nextRowId }: Backlog) {
  return rowsOf<{ id: number; certNumber: string }>(trx)`
    SELECT id, cert_number AS "certNumber" FROM scan_results
    WHERE ${rowsAfter(sessionId, nextRowId - 1)} AND grading_company = ${company} AND ${NEEDS_JOB}
    ORDER BY session_id, id LIMIT ${ROWS_A_PORTION}`;
}

/** Records that `count` rows got jobs: what comes next, and the row in the middle of them. */
export async function noteRowsGiven(
  { trx, sessionId }: LockedSession,
  { company, nextRowId, nextPlace }: Backlog,
  { count, middleRowId }: { count: number; middleRowId: number },
): Promise<void> {
  await sql`
    UPDATE job_backlogs SET rows_left = greatest(0, rows_left - ${count}), next_row_id = ${nextRowId},
      next_place = ${nextPlace}, middle_row_id = ${middleRowId}
    WHERE session_id = ${sessionId} AND grading_company = ${company}`.execute(trx);
}

export async function deleteBacklog({ trx, sessionId }: LockedSession, company: Company): Promise<void> {
  const own = trx.deleteFrom("job_backlogs").where("session_id", "=", sessionId);
  await own.where("grading_company", "=", company).execute();
}

import { sql, type Transaction } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { OPEN_STATUSES } from "./scan-rows.repo.ts";

/*
 * Rows of one certificate in one session are looked up once. Those of a sheet share a job from the start; a row that
 * comes later takes what its twin has found, or goes on with it. As with all rows of a run, whoever moves them holds
 * the session's event number.
 */

type Trx = Transaction<Schema>;

/** A row of a session as its rows of the same certificate see it: pending, without a job, told by this event. */
const newcomer = (sessionId: string, eventSeq: number) => sql`
  r.session_id = ${sessionId} AND r.event_seq = ${eventSeq} AND r.status = 'pending' AND r.job_id IS NULL
  AND t.grading_company = r.grading_company AND t.cert_number = r.cert_number`;

/**
 * Fills the pending rows of an event from rows of the same certificates that the session has found in the last `days`
 * days; answers how many. What was noted about the card stands behind each row's own note.
 */
export async function fillFromTwins(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
  certNumbers: readonly string[],
  days: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE scan_results AS r
    SET status = 'completed', outcome = 'found', source = t.source, processed_at = now(), item_name = t.item_name,
      player_character = t.player_character, year = t.year, language = t.language, brand_set = t.brand_set,
      card_number = t.card_number, grade = t.grade, sport_game = t.sport_game, variety = t.variety,
      grader_notes = t.grader_notes, tag_score = t.tag_score, front_image_url = t.front_image_url,
      back_image_url = t.back_image_url, cert_url = t.cert_url, inventory_name = t.inventory_name,
      notes = concat_ws(' · ', nullif(r.sheet_notes, ''), nullif(t.card_notes, ''))
    FROM (
      SELECT DISTINCT ON (grading_company, cert_number) *,
        substr(notes, CASE WHEN sheet_notes = '' THEN 1 ELSE length(sheet_notes || ' · ') + 1 END) AS card_notes
      FROM scan_results
      WHERE session_id = ${sessionId} AND cert_number = ANY(${certNumbers}) AND outcome = 'found'
        AND status IN ('completed', 'completed_retry') AND processed_at > now() - make_interval(days => ${days})
      ORDER BY grading_company, cert_number, id DESC
    ) AS t
    WHERE ${newcomer(sessionId, eventSeq)}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Lets the pending rows of an event go with rows of the same certificates that are on their way: they take all that
 * says how far these are, so that one job's rows never differ.
 */
export async function joinTwins(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
  certNumbers: readonly string[],
): Promise<void> {
  await sql`
    UPDATE scan_results AS r
    SET status = t.status, job_id = t.job_id, own_mode = t.own_mode, retries = t.retries, attempts = t.attempts,
      claimed_at = t.claimed_at, outcome = t.outcome, waiting_until = t.waiting_until, item_name = t.item_name,
      processing_error = t.processing_error
    FROM (
      SELECT DISTINCT ON (grading_company, cert_number) * FROM scan_results
      WHERE session_id = ${sessionId} AND cert_number = ANY(${certNumbers})
        AND (status = 'waiting' OR (status = ANY(${OPEN_STATUSES}) AND job_id IS NOT NULL))
      ORDER BY grading_company, cert_number, id
    ) AS t
    WHERE ${newcomer(sessionId, eventSeq)}`.execute(trx);
}

import { sql, type Transaction } from "kysely";
import { areKnownSame, beginTaking, gradersPicture } from "../../database/row-pictures.ts";
import { CARD_COLUMN_NAMES, type CardColumn } from "../../database/card-columns.ts";
import type { Schema } from "../../database/schema.ts";
import { AT_NOW, lookUpsAnd } from "./attempts.repo.ts";
import { OPEN_STATUSES } from "./rows.repo.ts";

/*
 * A session looks up each cert once. Duplicates in a sheet share a job from the start. A row added later copies a found
 * duplicate, or joins the job of an open one. To change rows, the caller must hold the session's event number.
 */

type Trx = Transaction<Schema>;

const PICTURES: Partial<Record<CardColumn, string>> = { front_image_url: "front", back_image_url: "back" };

/** The attempt that records that row `r` was filled from row `t`. */
const fromDuplicate = lookUpsAnd(
  sql`jsonb_build_object('kind', 'duplicate', 'at', ${AT_NOW}, 'line', t.line)`,
  sql.ref("r.look_ups"),
);

/** The card of row `t`. Its pictures are the grader's, not a user's photos. */
const CARD_FROM_DUPLICATE = sql.join(
  CARD_COLUMN_NAMES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`t.${PICTURES[name] ?? name}`)}`),
);

/**
 * Fills the event's pending rows from duplicates that the session found in the last `days` days. Appends the card's
 * note to each row's own note. Returns the number of rows filled.
 */
export async function fillFromDuplicates(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
  certNumbers: readonly string[],
  days: number,
): Promise<number> {
  await beginTaking(trx);
  const { numAffectedRows } = await sql`
    UPDATE scan_results AS r
    SET status = 'completed', outcome = 'found', source = t.source, processed_at = now(),
      ${CARD_FROM_DUPLICATE},
      notes = concat_ws(' · ', nullif(r.sheet_notes, ''), nullif(t.card_notes, '')),
      same_sides = t.same_sides OR ${areKnownSame(sql.ref("t.front"), sql.ref("t.back"))}, look_ups = ${fromDuplicate}
    FROM (
      SELECT DISTINCT ON (grading_company, cert_number) *, ${gradersPicture(sql.ref("front_image_url"))} AS front,
        ${gradersPicture(sql.ref("back_image_url"))} AS back,
        substr(notes, CASE WHEN sheet_notes = '' THEN 1 ELSE length(sheet_notes || ' · ') + 1 END) AS card_notes
      FROM scan_results
      WHERE session_id = ${sessionId} AND cert_number = ANY(${certNumbers}) AND outcome = 'found'
        AND status IN ('completed', 'completed_retry') AND processed_at > now() - make_interval(days => ${days})
      ORDER BY grading_company, cert_number, id DESC
    ) AS t
    WHERE r.session_id = ${sessionId} AND r.event_seq = ${eventSeq} AND r.status = 'pending' AND r.job_id IS NULL
      AND t.grading_company = r.grading_company AND t.cert_number = r.cert_number`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Joins the event's pending rows to open duplicates. Copies all progress columns, so that the rows of a job never
 * differ. If `certNumbers` is null, checks all certs.
 */
export async function joinDuplicates(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
  certNumbers: readonly string[] | null,
): Promise<void> {
  const isNewcomer = sql`status = 'pending' AND job_id IS NULL AND event_seq = ${eventSeq}`;
  // Join only by primary key, as in `giveJobs`: a retry can reopen tens of thousands of rows.
  await sql`
    WITH card AS MATERIALIZED (
      SELECT id, is_newcomer, first_value(id) OVER cert AS duplicate, first_value(is_newcomer) OVER cert AS is_alone
      FROM (
        SELECT id, grading_company, cert_number, (${isNewcomer}) AS is_newcomer FROM scan_results
        WHERE session_id = ${sessionId} AND (${certNumbers}::text[] IS NULL OR cert_number = ANY(${certNumbers}::text[]))
          AND (status = 'waiting' OR (status = ANY(${OPEN_STATUSES}) AND job_id IS NOT NULL) OR (${isNewcomer}))
      ) AS open
      WINDOW cert AS (PARTITION BY grading_company, cert_number ORDER BY is_newcomer, id)
    )
    UPDATE scan_results AS r
    SET status = t.status, job_id = t.job_id, own_mode = t.own_mode, retries = t.retries, attempts = t.attempts,
      claimed_at = t.claimed_at, outcome = t.outcome, waiting_until = t.waiting_until, item_name = t.item_name,
      processing_error = t.processing_error, look_ups = ${fromDuplicate}
    FROM card JOIN scan_results AS t ON t.id = card.duplicate
    WHERE r.id = card.id AND card.is_newcomer AND NOT card.is_alone`.execute(trx);
}

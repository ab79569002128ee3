import { AUTOGRAPH_BRAND } from "@slabdesk/contract/certs/company.ts";
import { sql } from "kysely";
import type { PriceSourceName, PriceState } from "@slabdesk/contract/api/prices.ts";
import type { Database } from "../../database/connection.ts";
import { PART_OF_CARD } from "../../database/rows-of-a-job.ts";
import { rowsOf, valuesOf } from "../../database/statements.ts";
import type { PricedCard } from "../../price-sources/price-source.ts";
import type { LockedSession, Tally } from "../sessions/session-changes.service.ts";
import { IS_FRESH } from "./quotes.repo.ts";

/* The prices of a session's rows, and the jobs that settle them. Callers count what changes (`Tally`). */

/** On conflict, how a record of `result_prices` takes a quote and keeps its first one. No quote changes neither. */
const TAKE_QUOTE = sql`
  first_quote_id = CASE WHEN EXCLUDED.quote_id <> p.quote_id THEN COALESCE(p.first_quote_id, p.quote_id)
    ELSE p.first_quote_id END,
  quote_id = COALESCE(EXCLUDED.quote_id, p.quote_id)`;

/** All rows of the session, the rows of this event, or the rows with these ids. */
export type WantedRows = "all" | "changed" | readonly number[];

/**
 * Fills prices of found rows, except autographs, from quotes of the last day, and creates a job for each other card.
 * `again` also refreshes settled prices, unless a quote of the last day exists. Up to ROWS_OF_A_JOB rows with the same
 * cert share a job. Jobs are in sheet order. Returns the jobs, and the number of rows that wait for them.
 */
export async function requestPrices(
  { trx, sessionId, eventSeq }: LockedSession,
  source: PriceSourceName,
  wanted: WantedRows,
  again: boolean,
) {
  const isWanted = again ? sql`(p.state IS NULL OR p.state IN ('priced', 'none', 'failed'))` : sql`p.state IS NULL`;
  // Join only by primary key, as in `giveJobs`: new rows have no statistics, and the quotes' index is used.
  const { rows } = await sql<{ id: string; pending: number }>`
    WITH card AS MATERIALIZED (
      SELECT id, line, fresh, first_value(job) OVER cert AS job, first_value(id) OVER cert AS first
      FROM (
        SELECT r.id, r.line, r.grading_company, r.cert_number, gen_random_uuid() AS job, ${PART_OF_CARD} AS part, (
            SELECT q.id FROM price_quotes AS q
            WHERE q.source = ${source} AND q.grading_company = r.grading_company AND q.cert_number = r.cert_number
              AND ${IS_FRESH}
            ORDER BY q.fetched_at DESC, q.id DESC LIMIT 1
          ) AS fresh
        FROM scan_results AS r LEFT JOIN result_prices AS p ON p.result_id = r.id AND p.source = ${source}
        WHERE session_id = ${sessionId} AND status IN ('completed', 'completed_retry') AND outcome = 'found'
          AND (r.grading_company <> 'PSA' OR r.brand_set IS DISTINCT FROM ${AUTOGRAPH_BRAND})
          AND ${isWanted} AND ${isMeant(wanted, eventSeq)}
      ) AS wanted
      WINDOW cert AS (PARTITION BY grading_company, cert_number, part ORDER BY line, id)
    ), filled AS (
      INSERT INTO result_prices AS p (result_id, source, state, quote_id, message)
      SELECT card.id, ${source}, CASE WHEN q.price IS NULL THEN 'none' ELSE 'priced' END,
        CASE WHEN q.price IS NOT NULL THEN q.id END, q.message
      FROM card JOIN price_quotes AS q ON q.id = card.fresh
      ON CONFLICT (result_id, source) DO UPDATE SET state = EXCLUDED.state, message = EXCLUDED.message, ${TAKE_QUOTE}
      WHERE CASE WHEN EXCLUDED.quote_id IS NULL THEN p.state <> 'none'
        ELSE p.quote_id IS DISTINCT FROM EXCLUDED.quote_id END
      RETURNING result_id
    ), given AS (
      INSERT INTO result_prices AS p (result_id, source, state, job_id)
      SELECT id, ${source}, 'pending', job FROM card WHERE fresh IS NULL
      ON CONFLICT (result_id, source) DO UPDATE SET state = 'pending', job_id = EXCLUDED.job_id, message = ''
      RETURNING result_id
    ), changed AS (
      UPDATE scan_results AS r SET event_seq = ${eventSeq}, reviewed_at = CASE WHEN NOT is_filled THEN reviewed_at END
      FROM (SELECT result_id, true AS is_filled FROM filled UNION ALL SELECT result_id, false FROM given) AS asked
      WHERE r.id = asked.result_id
    ), noted AS (
      INSERT INTO price_requests (source, prices, called)
      SELECT ${source}, count(*), count(*) FILTER (WHERE fresh IS NULL AND id = first) FROM card HAVING count(*) > 0
    )
    SELECT job AS id, (SELECT count(*) FROM given) AS pending
    FROM card WHERE fresh IS NULL AND id = first ORDER BY line, id`.execute(trx);
  return { jobs: rows.map(({ id }) => id), pending: rows[0]?.pending ?? 0 };
}

function isMeant(rows: WantedRows, eventSeq: number) {
  if (rows === "all") return sql`true`;
  return rows === "changed" ? sql`event_seq = ${eventSeq}` : sql`r.id = ANY(${rows}::bigint[])`;
}

/** Lists the session's found rows in order: all, or those with these ids. */
export function listFoundRows(db: Database, sessionId: string, rowIds: readonly number[] | null) {
  return valuesOf<number>(db)`
    SELECT id FROM scan_results WHERE session_id = ${sessionId} AND outcome = 'found'
      AND (${rowIds}::bigint[] IS NULL OR id = ANY(${rowIds}::bigint[]))
    ORDER BY id`;
}

export type OpenPrice = PricedCard & { jobId: string; userId: string; requestedAt: Date };

/** Returns the cards of these jobs, their owners, and when their runs were requested. Omits jobs without open prices. */
export function listOpenPrices(db: Database, source: PriceSourceName, jobIds: readonly string[]) {
  return rowsOf<OpenPrice>(db)`
    SELECT DISTINCT p.job_id AS "jobId", r.user_id AS "userId", grading_company AS company, cert_number AS "certNumber",
      s.requested_at AS "requestedAt"
    FROM result_prices AS p JOIN scan_results AS r ON r.id = p.result_id JOIN scan_sessions AS s ON s.id = r.session_id
    WHERE p.source = ${source} AND p.job_id = ANY(${jobIds}::uuid[])`;
}

/** The values that an answer writes to its rows. A row keeps its price if the answer has none. */
export type PriceSettlement =
  | { state: "priced"; message: string; quoteId: number }
  | { state: "none" | "failed"; message: string; quoteId: null };

/**
 * Settles the prices of the rows of these jobs, or of one card's rows in the session whatever their price state. Returns
 * the states that they leave. A second call for the same job changes nothing.
 */
export function settlePrices(
  { trx, sessionId, eventSeq }: LockedSession,
  source: PriceSourceName,
  which: { jobIds: readonly string[] } | PricedCard,
  { state, message, quoteId }: PriceSettlement,
): Promise<(PriceState | null)[]> {
  const isMeant =
    "jobIds" in which
      ? sql`p.job_id = ANY(${which.jobIds}::uuid[])`
      : // A failed manual fetch does not cancel a price job that is still open.
        sql`r.session_id = ${sessionId} AND r.grading_company = ${which.company}
          AND r.cert_number = ${which.certNumber} AND r.outcome = 'found'
          AND (p.job_id IS NULL OR ${state} <> 'failed')`;
  return valuesOf<PriceState | null>(trx)`
    WITH meant AS MATERIALIZED (
      SELECT r.id, p.state, p.quote_id
      FROM scan_results AS r LEFT JOIN result_prices AS p ON p.result_id = r.id AND p.source = ${source}
      WHERE ${isMeant} FOR UPDATE OF r
    ), settled AS (
      INSERT INTO result_prices AS p (result_id, source, state, quote_id, message)
      SELECT id, ${source}, ${state}, ${quoteId}::bigint, ${message} FROM meant
      ON CONFLICT (result_id, source) DO UPDATE
      SET state = EXCLUDED.state, job_id = NULL, message = EXCLUDED.message, ${TAKE_QUOTE}
    )
    UPDATE scan_results AS r
    SET event_seq = ${eventSeq}, reviewed_at = CASE WHEN meant.quote_id = ${quoteId}::bigint THEN r.reviewed_at END
    FROM meant WHERE r.id = meant.id
    RETURNING meant.state AS before`;
}

/** Returns the change in a session's counts when prices leave these states. */
export function leaving(states: readonly (PriceState | null)[]): Tally {
  const count = (state: PriceState) => states.filter((one) => one === state).length;
  return { pending: 0 - count("pending"), waiting: 0 - count("waiting") };
}

/** Lists the sessions with prices in this state. Their owners take turns. */
export function listSessionsIn(db: Database, source: PriceSourceName, state: "pending" | "waiting") {
  return valuesOf<string>(db)`
    SELECT r.session_id AS id FROM result_prices AS p JOIN scan_results AS r ON r.id = p.result_id
    WHERE p.source = ${source} AND p.state = ${state}
    GROUP BY r.session_id, r.user_id ORDER BY row_number() OVER (PARTITION BY r.user_id ORDER BY min(r.id))`;
}

/** Lists the sessions with open prices of a source, and when each was last requested. */
export function listOpenSessions(db: Database, source: PriceSourceName) {
  return rowsOf<{ id: string; requestedAt: Date }>(db)`
    SELECT DISTINCT s.id, s.requested_at AS "requestedAt"
    FROM result_prices AS p JOIN scan_results AS r ON r.id = p.result_id JOIN scan_sessions AS s ON s.id = r.session_id
    WHERE p.source = ${source} AND p.state IN ('pending', 'waiting')`;
}

/** Sets the session's pending prices to `waiting`, or its waiting ones to `pending`. Their jobs are kept. */
export async function turnPrices(
  { trx, sessionId, eventSeq }: LockedSession,
  source: PriceSourceName,
  to: "pending" | "waiting",
): Promise<Tally> {
  const from = to === "waiting" ? "pending" : "waiting";
  const { numAffectedRows } = await sql`
    WITH turned AS (
      UPDATE result_prices AS p SET state = ${to} FROM scan_results AS r
      WHERE r.id = p.result_id AND r.session_id = ${sessionId} AND p.source = ${source} AND p.state = ${from}
      RETURNING p.result_id
    )
    UPDATE scan_results AS r SET event_seq = ${eventSeq} FROM turned WHERE r.id = turned.result_id`.execute(trx);
  const count = Number(numAffectedRows ?? 0);
  return to === "waiting" ? { pending: -count, waiting: count } : { pending: count, waiting: -count };
}

/** Cancels a session's open price requests. Returns the jobs to cancel, and the change in the session's counts. */
export async function releasePrices({ trx, sessionId, eventSeq }: LockedSession) {
  const { rows } = await sql<{ source: PriceSourceName; id: string; before: PriceState }>`
    WITH asked AS MATERIALIZED (
      SELECT p.result_id, p.source, p.job_id, p.state, p.quote_id
      FROM result_prices AS p JOIN scan_results AS r ON r.id = p.result_id
      WHERE r.session_id = ${sessionId} AND p.job_id IS NOT NULL
    ), kept AS (
      UPDATE result_prices AS p SET state = 'priced', job_id = NULL FROM asked
      WHERE p.result_id = asked.result_id AND p.source = asked.source AND asked.quote_id IS NOT NULL
    ), dropped AS (
      DELETE FROM result_prices AS p USING asked
      WHERE p.result_id = asked.result_id AND p.source = asked.source AND asked.quote_id IS NULL
    ), changed AS (
      UPDATE scan_results AS r SET event_seq = ${eventSeq}
      FROM (SELECT DISTINCT result_id FROM asked) AS one WHERE r.id = one.result_id
    )
    SELECT source, job_id AS id, state AS before FROM asked`.execute(trx);
  return { jobs: rows, tally: leaving(rows.map(({ before }) => before)) };
}

export async function includePricing(db: Database, sessionId: string): Promise<void> {
  await db.updateTable("scan_sessions").set({ include_pricing: true }).where("id", "=", sessionId).execute();
}

import { sql, type Transaction } from "kysely";
import {
  PRICE_SERVES_HOURS,
  type CardsiqPricing,
  type PriceSourceName,
  type PriceState,
  type Pricing,
} from "@slabdesk/contract/api/prices.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import type { Schema } from "../../database/schema.ts";
import type { Tally } from "../sessions/session-changes.service.ts";

/*
 * The prices of a session's rows. For each source, a row stores the id of the job that can settle its price. To change
 * rows, the caller must hold the session's event number and apply the returned changes to the session's counts
 * (`Tally`).
 */

type Trx = Transaction<Schema>;

/** A row's columns for one source. */
const columnsOf = (source: PriceSourceName) => ({
  state: sql.ref(`${source}_state`),
  job: sql.ref(`${source}_job`),
  message: sql.ref(`${source}_message`),
  quote: sql.ref(`${source}_quote`),
  price: sql.ref(`${source}_price`),
  before: sql.ref(`${source}_first_quote`),
});
type Columns = ReturnType<typeof columnsOf>;

const EMPTY_SPARKLINE = JSON.stringify({ sparkline: [] });

/**
 * The value of `first_quote` when a new price replaces the current one: keeps the first price, without CardLadder's
 * sparkline.
 */
function firstPrice(source: PriceSourceName, { price, before }: Columns) {
  const bare = source === "cardladder" ? sql`r.${price} || ${EMPTY_SPARKLINE}::jsonb` : sql`r.${price}`;
  return sql`CASE WHEN r.${price} IS NULL THEN NULL ELSE COALESCE(r.${before}, ${bare}) END`;
}

export type Asking = {
  sessionId: string;
  eventSeq: number;
  source: PriceSourceName;
  /** All rows of the session, the rows of this event, or the rows with these ids. */
  rows: "all" | "changed" | readonly number[];
  /** Also refreshes settled prices, unless a quote of the last day exists. */
  again: boolean;
};
export type NewPriceJob = { id: string; priority: number };

/**
 * Fills prices of found rows from quotes of the last day, and creates a job for each other card. Rows with the same
 * cert share a job. Jobs are in sheet order. Returns the jobs, and the number of rows that wait for them.
 */
export async function askPrices(trx: Trx, asking: Asking): Promise<{ jobs: NewPriceJob[]; pending: number }> {
  const { sessionId, eventSeq, source, again } = asking;
  const columns = columnsOf(source);
  const { state, job, message, quote, price, before } = columns;
  const isWanted = again ? sql`(${state} IS NULL OR ${state} IN ('priced', 'none', 'failed'))` : sql`${state} IS NULL`;
  // Join only by primary key, as in `giveJobs`: new rows have no statistics, and the quotes' index is used.
  const { rows } = await sql<NewPriceJob & { pending: number }>`
    WITH card AS MATERIALIZED (
      SELECT id, line, fresh, first_value(job) OVER cert AS job, first_value(id) OVER cert AS first
      FROM (
        SELECT r.id, r.line, r.grading_company, r.cert_number, gen_random_uuid() AS job, (
            SELECT q.id FROM price_quotes AS q
            WHERE q.source = ${source} AND q.grading_company = r.grading_company AND q.cert_number = r.cert_number
              AND q.fetched_at > now() - make_interval(hours => ${PRICE_SERVES_HOURS})
            ORDER BY q.fetched_at DESC, q.id DESC LIMIT 1
          ) AS fresh
        FROM scan_results AS r
        WHERE session_id = ${sessionId} AND status IN ('completed', 'completed_retry') AND outcome = 'found'
          AND ${isWanted} AND ${isMeant(asking)}
      ) AS wanted
      WINDOW cert AS (PARTITION BY grading_company, cert_number ORDER BY line, id)
    ), filled AS (
      UPDATE scan_results AS r
      SET ${state} = CASE WHEN q.price IS NULL THEN 'none' ELSE 'priced' END, ${message} = q.message,
        ${quote} = CASE WHEN q.price IS NULL THEN r.${quote} ELSE q.id END, ${price} = COALESCE(q.price, r.${price}),
        reviewed_at = NULL, ${before} = CASE WHEN q.price IS NULL THEN r.${before} ELSE ${firstPrice(source, columns)} END,
        event_seq = ${eventSeq}
      FROM card JOIN price_quotes AS q ON q.id = card.fresh
      WHERE r.id = card.id AND CASE WHEN q.price IS NULL
        THEN r.${state} IS DISTINCT FROM 'none' ELSE r.${quote} IS DISTINCT FROM q.id END
    ), given AS (
      UPDATE scan_results AS r SET ${state} = 'pending', ${job} = card.job, ${message} = NULL, event_seq = ${eventSeq}
      FROM card WHERE r.id = card.id AND card.fresh IS NULL
      RETURNING r.id
    ), noted AS (
      INSERT INTO price_asks (source, prices, called)
      SELECT ${source}, count(*), count(*) FILTER (WHERE fresh IS NULL AND id = first) FROM card HAVING count(*) > 0
    )
    SELECT job AS id, -line AS priority, (SELECT count(*) FROM given) AS pending
    FROM card WHERE fresh IS NULL AND id = first ORDER BY line`.execute(trx);
  return { jobs: rows.map(({ id, priority }) => ({ id, priority })), pending: rows[0]?.pending ?? 0 };
}

function isMeant({ rows, eventSeq }: Asking) {
  if (rows === "all") return sql`true`;
  return rows === "changed" ? sql`event_seq = ${eventSeq}` : sql`id = ANY(${rows}::bigint[])`;
}

/** Lists the session's found rows in order: all, or those with these ids. */
export async function listFoundRows(
  db: Database,
  sessionId: string,
  rowIds: readonly number[] | null,
): Promise<number[]> {
  const rows = await db
    .selectFrom("scan_results")
    .select("id")
    .where("session_id", "=", sessionId)
    .where("outcome", "=", "found")
    .where(sql<boolean>`(${rowIds}::bigint[] IS NULL OR id = ANY(${rowIds}::bigint[]))`)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** A card whose price a job can settle, and the row's owner. */
export type OpenPrice = { jobId: string; userId: string; company: Company; certNumber: string };

/** Returns the cards of these jobs. Omits jobs without open prices. */
export async function listOpenPrices(
  db: Database,
  source: PriceSourceName,
  jobIds: readonly string[],
): Promise<OpenPrice[]> {
  const { job } = columnsOf(source);
  const { rows } = await sql<OpenPrice>`
    SELECT DISTINCT ${job} AS "jobId", user_id AS "userId", grading_company AS company, cert_number AS "certNumber"
    FROM scan_results WHERE ${job} = ANY(${jobIds}::uuid[])`.execute(db);
  return rows;
}

/**
 * The values that an answer writes to its rows. A row keeps its price if the answer has none. If the price changed
 * since the review, clear `reviewed_at`.
 */
export type PriceSettlement = {
  state: Extract<PriceState, "priced" | "none" | "failed">;
  message: string;
  quoteId: number | null;
  price: Pricing | CardsiqPricing | null;
};

/** The rows to settle: those of a job, or those of one card in a session whatever their price state. */
export type SettledPrices = { jobId: string } | { sessionId: string; company: string; certNumber: string };

/**
 * Settles the prices of these rows. Returns the change in the session's counts. A second call for the same job changes
 * nothing.
 */
export async function settlePrices(
  trx: Trx,
  source: PriceSourceName,
  which: SettledPrices,
  eventSeq: number,
  { state: newState, message: newMessage, quoteId, price: newPrice }: PriceSettlement,
): Promise<Tally> {
  const columns = columnsOf(source);
  const { state, job, message, quote, price, before } = columns;
  const isMeant =
    "jobId" in which
      ? sql`${job} = ${which.jobId}`
      : // A failed manual fetch does not cancel a price job that is still open.
        sql`session_id = ${which.sessionId} AND grading_company = ${which.company}
          AND cert_number = ${which.certNumber} AND outcome = 'found'
          AND (${job} IS NULL OR ${newState} <> 'failed')`;
  const isNew = sql`(${newPrice !== null} AND r.${quote} IS DISTINCT FROM ${quoteId}::bigint)`;
  const { rows } = await sql<{ before: PriceState | null }>`
    UPDATE scan_results AS r
    SET ${state} = ${newState}, ${job} = NULL, ${message} = ${newMessage},
      ${quote} = CASE WHEN ${newPrice !== null} THEN ${quoteId}::bigint ELSE r.${quote} END,
      ${before} = CASE WHEN ${isNew} THEN ${firstPrice(source, columns)} ELSE r.${before} END,
      ${price} = COALESCE(${newPrice === null ? null : JSON.stringify(newPrice)}::jsonb, r.${price}),
      reviewed_at = CASE WHEN ${isNew} OR ${newPrice === null} THEN NULL ELSE r.reviewed_at END,
      event_seq = ${eventSeq}
    FROM (SELECT id, ${state} AS before FROM scan_results WHERE ${isMeant} FOR UPDATE) AS meant
    WHERE r.id = meant.id
    RETURNING meant.before`.execute(trx);
  return leaving(rows.map((row) => row.before));
}

/** Returns the change in a session's counts when prices leave these states. */
export function leaving(states: readonly (PriceState | null)[]): Tally {
  const count = (state: PriceState) => states.filter((one) => one === state).length;
  return { pending: 0 - count("pending"), waiting: 0 - count("waiting") };
}

/** Lists the sessions with prices of a source in this state. */
export async function listSessionsIn(
  db: Database,
  source: PriceSourceName,
  in_: Extract<PriceState, "pending" | "waiting">,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT session_id AS id FROM scan_results WHERE ${columnsOf(source).state} = ${in_}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Sets the session's pending prices to `waiting`, or its waiting ones to `pending`. Their jobs are kept. */
export async function turnPrices(
  trx: Trx,
  sessionId: string,
  source: PriceSourceName,
  eventSeq: number,
  to: "pending" | "waiting",
): Promise<Tally> {
  const { state } = columnsOf(source);
  const from = to === "waiting" ? "pending" : "waiting";
  const { numAffectedRows } = await sql`
    UPDATE scan_results SET ${state} = ${to}, event_seq = ${eventSeq}
    WHERE session_id = ${sessionId} AND ${state} = ${from}`.execute(trx);
  const count = Number(numAffectedRows ?? 0);
  return to === "waiting" ? { pending: -count, waiting: count } : { pending: count, waiting: -count };
}

type Released = { job: string | null; before: PriceState | null };

/** Cancels a session's open price requests. Returns the jobs to cancel, and the change in the session's counts. */
export async function releasePrices(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
): Promise<{ jobs: Record<PriceSourceName, string[]>; tally: Tally }> {
  const [one, other] = [columnsOf("cardladder"), columnsOf("cardsiq")];
  const released = ({ state, job, price }: Columns) => sql`
    ${state} = CASE WHEN r.${job} IS NULL THEN r.${state} WHEN r.${price} IS NOT NULL THEN 'priced' END, ${job} = NULL`;
  const { rows } = await sql<Record<PriceSourceName, Released>>`
    UPDATE scan_results AS r SET ${released(one)}, ${released(other)}, event_seq = ${eventSeq}
    FROM (
      SELECT id, jsonb_build_object('job', ${one.job}, 'before', ${one.state}) AS cardladder,
        jsonb_build_object('job', ${other.job}, 'before', ${other.state}) AS cardsiq
      FROM scan_results
      WHERE session_id = ${sessionId} AND (${one.job} IS NOT NULL OR ${other.job} IS NOT NULL)
    ) AS asked
    WHERE r.id = asked.id
    RETURNING asked.cardladder, asked.cardsiq`.execute(trx);
  const jobsOf = (source: PriceSourceName) => [
    ...new Set(rows.flatMap((row) => (row[source].job === null ? [] : [row[source].job]))),
  ];
  return {
    jobs: { cardladder: jobsOf("cardladder"), cardsiq: jobsOf("cardsiq") },
    tally: leaving(rows.flatMap(({ cardladder, cardsiq }) => [cardladder.before, cardsiq.before])),
  };
}

/** Turns on pricing for a session. */
export async function includePricing(db: Database, sessionId: string): Promise<void> {
  await db.updateTable("scan_sessions").set({ include_pricing: true }).where("id", "=", sessionId).execute();
}

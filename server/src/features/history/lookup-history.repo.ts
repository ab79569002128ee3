import { sql, type RawBuilder } from "kysely";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";

/*
 * Look-up history, read from all users' rows with the index `scan_results_cert`. Each distinct card is looked up with a
 * LATERAL subquery: the planner has no statistics for a list of cards and would otherwise scan the whole table.
 */

/**
 * The viewer. If `seesAll` is true, they see all look-ups in full; otherwise only the name and time of other users'
 * look-ups.
 */
export type Remembering = { userId: string; seesAll: boolean };
export type RememberedCard = { company: string; certNumber: string };

/** A card's first price at a look-up and its latest price. All null if it had no price in that look-up. */
export type ValuesRecord = {
  value_source: PriceSourceName | null;
  value_then: number | null;
  value_now: number | null;
};

/** An earlier look-up with all its details. */
export type LookUpRecord = {
  id: number;
  session_id: string;
  session_name: string;
  line: number;
  at: Date;
  user_id: string;
  full_name: string;
} & ValuesRecord;
export type ColleagueRecord = { by: string; at: Date };

/** The newest look-up of each kind. Columns are null if there is none. */
export type LookupHistoryRecord = (LookUpRecord | { [K in keyof LookUpRecord]: null }) & {
  colleague_by: string | null;
  colleague_at: Date | null;
  is_twice_open: boolean;
};

/** Open sessions: those running, and stopped ones with unsettled rows. */
const OPEN_SESSIONS = sql`
  SELECT id FROM scan_sessions WHERE status = 'processing' OR (status = 'failed' AND processed_cards < total_cards)`;

/** Joins to rows `r` their first price (`value_then`) and its source (`value_source`); both null without a price. */
export const JOIN_VALUE_THEN = sql`
  LEFT JOIN LATERAL (
    SELECT p.source AS value_source, COALESCE(earliest.estimate, newest.estimate) AS value_then
    FROM result_prices AS p JOIN price_quotes AS newest ON newest.id = p.quote_id
    LEFT JOIN price_quotes AS earliest ON earliest.id = p.first_quote_id
    WHERE p.result_id = r.id AND COALESCE(earliest.estimate, newest.estimate) IS NOT NULL
    ORDER BY p.source LIMIT 1
  ) AS value ON true`;

/** A source's latest estimate for a card. */
export function valueNow(source: RawBuilder<unknown>, company: RawBuilder<unknown>, certNumber: RawBuilder<unknown>) {
  return sql`(
    SELECT q.estimate FROM price_quotes AS q
    WHERE q.is_current AND q.source = ${source} AND q.grading_company = ${company} AND q.cert_number = ${certNumber}
    ORDER BY q.fetched_at DESC, q.id DESC LIMIT 1)`;
}

/** Must match the index predicate; otherwise the index is not used. */
const INDEXED = sql`length(r.grading_company) <= 100 AND length(r.cert_number) <= 100`;

/** Matches rows `r` of a card in `asked`, excluding the given session. */
function rowsOfCard(besidesSession: string | null) {
  const isOther = besidesSession === null ? sql`true` : sql`r.session_id <> ${besidesSession}`;
  return sql`
    r.grading_company = asked.company AND r.cert_number = asked.cert_number AND ${INDEXED} AND ${isOther}`;
}

/**
 * The cards in `asked` that have a look-up history (`seen`): whether the viewer or someone else looked them up, and
 * whether they are in an open session.
 */
function seenCards({ userId }: Remembering, besidesSession: string | null) {
  return sql`
    open_sessions AS MATERIALIZED (${OPEN_SESSIONS}), seen AS MATERIALIZED (
      SELECT asked.*, is_own, is_others, is_twice_open
      FROM asked CROSS JOIN LATERAL (
        SELECT bool_or(r.outcome = 'found' AND r.user_id = ${userId}) IS TRUE AS is_own,
          bool_or(r.outcome = 'found' AND r.user_id <> ${userId}) IS TRUE AS is_others,
          bool_or(r.session_id IN (SELECT id FROM open_sessions)) IS TRUE AS is_twice_open
        FROM scan_results AS r WHERE ${rowsOfCard(besidesSession)}
      ) AS found
      WHERE is_own OR is_others OR is_twice_open
    )`;
}

/** The look-ups of a card in `asked` that the viewer may see in full, newest first. */
function fullLookUps({ userId, seesAll }: Remembering, besidesSession: string | null, limit: number) {
  return sql`
    SELECT u.*, (SELECT session_name FROM scan_sessions WHERE id = u.session_id) AS session_name,
      (SELECT full_name FROM user_profiles WHERE id = u.user_id) AS full_name,
      ${valueNow(sql`value_source`, sql`asked.company`, sql`asked.cert_number`)} AS value_now
    FROM (
      SELECT r.id, r.session_id, r.line, r.processed_at AS at, r.user_id, value.*
      FROM scan_results AS r ${JOIN_VALUE_THEN}
      WHERE ${rowsOfCard(besidesSession)} AND r.outcome = 'found' AND (${seesAll} OR r.user_id = ${userId})
      ORDER BY r.processed_at DESC, r.id DESC LIMIT ${limit}
    ) AS u`;
}

/** The other users who looked up a card in `asked`, and when they last did so; newest first. */
function colleagueLookUps({ userId, seesAll }: Remembering, besidesSession: string | null, limit: number) {
  return sql`
    SELECT (SELECT full_name FROM user_profiles WHERE id = r.user_id) AS by, max(r.processed_at) AS at
    FROM scan_results AS r
    WHERE ${rowsOfCard(besidesSession)} AND r.outcome = 'found' AND r.user_id <> ${userId} AND NOT ${seesAll}
    GROUP BY r.user_id ORDER BY at DESC LIMIT ${limit}`;
}

/** The newest look-up of each kind for the cards in `picked` (a subset of `seen`). */
function newestOfEach(viewer: Remembering, besidesSession: string | null) {
  return sql`
    picked AS asked
    LEFT JOIN LATERAL (${fullLookUps(viewer, besidesSession, 1)}) AS own ON is_own OR is_others
    LEFT JOIN LATERAL (${colleagueLookUps(viewer, besidesSession, 1)}) AS colleague ON is_others`;
}

const LOOKUP_HISTORY = sql`own.*, colleague.by AS colleague_by, colleague.at AS colleague_at, asked.is_twice_open`;

export type CardsLookupHistory = {
  total: number;
  own: number;
  colleagues: number;
  twiceOpen: number;
  /** `index` is the position in the list of cards passed in. */
  cards: (LookupHistoryRecord & { index: number })[];
};

/** Returns the look-up history of cards: the counts of each kind, and the first `limit` cards in the order given. */
export async function rememberCards(
  db: Database,
  viewer: Remembering,
  cards: readonly RememberedCard[],
  limit: number,
): Promise<CardsLookupHistory> {
  const companies = cards.map((card) => card.company);
  const certNumbers = cards.map((card) => card.certNumber);
  const { rows } = await sql<LookupHistoryRecord & { index: number } & Omit<CardsLookupHistory, "cards">>`
    WITH asked AS (
      SELECT * FROM unnest(${companies}::text[], ${certNumbers}::text[]) WITH ORDINALITY AS a (company, cert_number, n)
    ), ${seenCards(viewer, null)}, picked AS MATERIALIZED (
      SELECT *, count(*) OVER () AS total, count(*) FILTER (WHERE is_own) OVER () AS own_count,
        count(*) FILTER (WHERE is_others) OVER () AS others_count,
        count(*) FILTER (WHERE is_twice_open) OVER () AS open_count
      FROM seen ORDER BY n LIMIT ${limit}
    )
    SELECT asked.n - 1 AS index, asked.total, asked.own_count AS own, asked.others_count AS colleagues,
      asked.open_count AS "twiceOpen", ${LOOKUP_HISTORY}
    FROM ${newestOfEach(viewer, null)} ORDER BY asked.n`.execute(db);
  const { total = 0, own = 0, colleagues = 0, twiceOpen = 0 } = rows[0] ?? {};
  return { total, own, colleagues, twiceOpen, cards: rows };
}

export type RowLookupHistoryRecord = LookupHistoryRecord & { row_id: number };

/**
 * Returns the look-up history, from other sessions, of a page of a session's rows. `nextCursor` is the id of the page's
 * last row, or null if the page is not full.
 */
export async function rememberRows(
  db: Database,
  viewer: Remembering,
  { sessionId, cursor, limit }: { sessionId: string; cursor: number; limit: number },
): Promise<{ rows: RowLookupHistoryRecord[]; nextCursor: number | null }> {
  const { rows } = await sql<(RowLookupHistoryRecord | { row_id: null }) & { count: number; last: number | null }>`
    WITH page AS MATERIALIZED (
      SELECT id, grading_company AS company, cert_number, outcome FROM scan_results
      WHERE session_id = ${sessionId} AND id > ${cursor} ORDER BY id LIMIT ${limit}
    ), asked AS MATERIALIZED (
      SELECT company, cert_number, array_agg(id) AS ids FROM page
      WHERE outcome IS NULL OR outcome NOT IN ('invalid_row', 'invalid_number') GROUP BY company, cert_number
    ), ${seenCards(viewer, sessionId)}, picked AS (SELECT * FROM seen)
    SELECT pages.count, pages.last, remembered.*
    FROM (SELECT count(*) AS count, max(id) AS last FROM page) AS pages
    LEFT JOIN (
      SELECT unnest(asked.ids) AS row_id, ${LOOKUP_HISTORY} FROM ${newestOfEach(viewer, sessionId)}
    ) AS remembered ON true
    ORDER BY row_id`.execute(db);
  const [page] = rows;
  return {
    rows: rows.flatMap((row) => (row.row_id === null ? [] : [row])),
    nextCursor: page?.count === limit ? page.last : null,
  };
}

/** Returns one card's look-up history outside a session: at most `limit` look-ups of each kind, newest first. */
export async function rememberCard(
  db: Database,
  viewer: Remembering,
  { company, certNumber }: RememberedCard,
  { besidesSession, limit }: { besidesSession: string; limit: number },
): Promise<{ own: LookUpRecord[]; colleagues: ColleagueRecord[]; isTwiceOpen: boolean }> {
  const asked = sql`(SELECT ${company}::text AS company, ${certNumber}::text AS cert_number) AS asked`;
  const [own, colleagues, open] = await Promise.all([
    sql<LookUpRecord>`
      SELECT own.* FROM ${asked} CROSS JOIN LATERAL (${fullLookUps(viewer, besidesSession, limit)}) AS own
      ORDER BY own.at DESC, own.id DESC`.execute(db),
    sql<ColleagueRecord>`
      SELECT colleague.* FROM ${asked} CROSS JOIN LATERAL (${colleagueLookUps(viewer, besidesSession, limit)}) AS colleague
      ORDER BY colleague.at DESC`.execute(db),
    sql`
      SELECT 1 FROM ${asked} JOIN scan_results AS r ON ${rowsOfCard(besidesSession)}
      WHERE r.session_id IN (${OPEN_SESSIONS}) LIMIT 1`.execute(db),
  ]);
  return { own: own.rows, colleagues: colleagues.rows, isTwiceOpen: open.rows.length > 0 };
}

export type ElsewhereRecord = ColleagueRecord & { company: Company; cert_number: string };

/** Lists the other users who looked up any of these cards, and when they last did so; newest first. */
export async function listElsewhere(
  db: Database,
  viewer: Remembering,
  cards: readonly { company: Company; certNumber: string }[],
  limit: number,
): Promise<ElsewhereRecord[]> {
  const { rows } = await sql<ElsewhereRecord>`
    SELECT asked.company, asked.cert_number, colleague.*
    FROM unnest(${cards.map((card) => card.company)}::text[], ${cards.map((card) => card.certNumber)}::text[])
      AS asked (company, cert_number)
    CROSS JOIN LATERAL (${colleagueLookUps(viewer, null, limit)}) AS colleague
    ORDER BY colleague.at DESC LIMIT ${limit}`.execute(db);
  return rows;
}

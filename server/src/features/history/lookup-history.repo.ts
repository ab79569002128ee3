import { sql, type RawBuilder } from "kysely";
import type { CardHistory, PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { PRICE_SERVES_HOURS, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { Provenance, QuoteThen } from "@slabdesk/contract/api/provenance.ts";
import type { LookUpElsewhere } from "@slabdesk/contract/api/search.ts";
import type { Database } from "../../database/connection.ts";
import { rowsAfter } from "../../database/row-order.ts";
import { firstOf, rowsOf } from "../../database/statements.ts";
import type { RowRecord, SessionRow } from "../sessions/sessions.present.ts";
import type { Authorized, Viewer } from "../sessions/sessions.service.ts";

/*
 * Lookup history, read from all users' rows with the index `scan_results_cert`. Each distinct card is looked up with a
 * LATERAL subquery: the planner has no statistics for a list of cards and would otherwise scan the whole table.
 */

export type CardKey = { company: string; certNumber: string };

/** A card's first price at a lookup and its latest price. All null if it had no price in that lookup. */
export type ValuesRecord = {
  value_source: PriceSourceName | null;
  value_then: number | null;
  value_now: number | null;
};

/**
 * Whether the session of row `r` is open: it runs, or it was stopped and has unsettled rows. Reads one session per row,
 * because one person may have stopped hundreds of thousands of sessions.
 */
const IN_OPEN_SESSION = sql`(
  SELECT status = 'processing' OR (status = 'failed' AND processed_cards < total_cards)
  FROM scan_sessions WHERE id = r.session_id)`;

/** Joins to rows `r` their first price (`value_then`) and its source (`value_source`); both null without a price. */
export const JOIN_VALUE_THEN = sql`
  LEFT JOIN LATERAL (
    SELECT p.source AS value_source, COALESCE(earliest.estimate, newest.estimate) AS value_then
    FROM result_prices AS p JOIN price_quotes AS newest ON newest.id = p.quote_id
    LEFT JOIN price_quotes AS earliest ON earliest.id = p.first_quote_id
    WHERE p.result_id = r.id AND COALESCE(earliest.estimate, newest.estimate) IS NOT NULL
    ORDER BY p.source LIMIT 1
  ) AS value ON true`;

export function valueNow(source: RawBuilder<unknown>, company: RawBuilder<unknown>, certNumber: RawBuilder<unknown>) {
  return sql`(
    SELECT q.estimate FROM price_quotes AS q
    WHERE q.source = ${source} AND q.grading_company = ${company} AND q.cert_number = ${certNumber}
    ORDER BY q.fetched_at DESC, q.id DESC LIMIT 1)`;
}

/** Must match the index predicate; otherwise the index is not used. */
const INDEXED = sql`length(r.grading_company) <= 100 AND length(r.cert_number) <= 100`;

/** A card rarely has more. Without a limit, sheets that repeat cards would slow down everyone's plans. */
const ROWS_OF_A_CARD = 100;

/** Selects from the newest rows `r` of a card in `asked`, and of these, only those outside the given session. */
function rowsOfCard(besidesSession: string | null) {
  return sql`(
    SELECT r.* FROM (
      SELECT r.* FROM scan_results AS r
      WHERE r.grading_company = asked.company AND r.cert_number = asked.cert_number AND ${INDEXED}
      ORDER BY r.id DESC LIMIT ${ROWS_OF_A_CARD}
    ) AS r WHERE ${besidesSession === null ? sql`true` : sql`r.session_id <> ${besidesSession}`}
  ) AS r`;
}

/** The cards in `asked` that the viewer or someone else looked up, or that are in an open session (`seen`). */
function seenCards({ id: userId }: Viewer, besidesSession: string | null) {
  return sql`
    seen AS MATERIALIZED (
      SELECT asked.*, is_own, is_others, is_twice_open
      FROM asked CROSS JOIN LATERAL (
        SELECT bool_or(r.outcome = 'found' AND r.user_id = ${userId}) IS TRUE AS is_own,
          bool_or(r.outcome = 'found' AND r.user_id <> ${userId}) IS TRUE AS is_others,
          bool_or(${IN_OPEN_SESSION}) IS TRUE AS is_twice_open
        FROM ${rowsOfCard(besidesSession)}
      ) AS found
      WHERE is_own OR is_others OR is_twice_open
    )`;
}

/** The lookups of a card in `asked` that the viewer may see in full, newest first, as a JSON array of `OwnLookUp`. */
function fullLookUps({ id: userId, role }: Viewer, besidesSession: string | null, limit: number) {
  return sql`(
    SELECT jsonb_agg(jsonb_build_object(
      'resultId', u.id::text,
      'sessionId', u.session_id,
      'sessionName', (SELECT session_name FROM scan_sessions WHERE id = u.session_id),
      'line', u.line,
      'at', to_char(u.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'source', value_source,
      'valueThen', value_then,
      'valueNow', ${valueNow(sql`value_source`, sql`asked.company`, sql`asked.cert_number`)}
    ) || CASE WHEN u.user_id = ${userId} THEN '{}' ELSE jsonb_build_object(
      'owner', (SELECT full_name FROM user_profiles WHERE id = u.user_id)) END ORDER BY u.at DESC, u.id DESC)
    FROM (
      SELECT r.*, value.* FROM (
        SELECT r.id, r.session_id, r.line, r.processed_at AS at, r.user_id FROM ${rowsOfCard(besidesSession)}
        WHERE r.outcome = 'found' AND (${role === "admin"} OR r.user_id = ${userId})
        ORDER BY r.processed_at DESC, r.id DESC LIMIT ${limit}
      ) AS r ${JOIN_VALUE_THEN}
    ) AS u)`;
}

/**
 * The other users who looked up a card in `asked`, newest first. `day` is noon UTC of the day when they last did so,
 * which is the same date in almost every time zone, and hides the exact time.
 */
function colleagueLookUps({ id: userId, role }: Viewer, besidesSession: string | null, limit: number) {
  return sql`
    SELECT (SELECT full_name FROM user_profiles WHERE id = r.user_id) AS by, max(r.processed_at) AS at,
      to_char(max(r.processed_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T12:00:00.000Z"') AS day
    FROM ${rowsOfCard(besidesSession)}
    WHERE r.outcome = 'found' AND r.user_id <> ${userId} AND NOT ${role === "admin"}
    GROUP BY r.user_id ORDER BY at DESC LIMIT ${limit}`;
}

function colleaguesOf(viewer: Viewer, besidesSession: string | null, limit: number) {
  return sql`(
    SELECT jsonb_agg(jsonb_build_object('by', colleague.by, 'at', colleague.day) ORDER BY colleague.at DESC)
    FROM (${colleagueLookUps(viewer, besidesSession, limit)}) AS colleague)`;
}

/** The `CardHistory` of a card in `asked`, which is one of `seen`. */
function historyOf(viewer: Viewer, besidesSession: string | null) {
  return sql`jsonb_build_object(
    'own', CASE WHEN is_own OR is_others THEN ${fullLookUps(viewer, besidesSession, 1)}->0 END,
    'colleague', CASE WHEN is_others THEN ${colleaguesOf(viewer, besidesSession, 1)}->0 END,
    'isTwiceOpen', is_twice_open)`;
}

type Counts = Omit<PlanLookupHistory, "cards">;

/** Counts the lookup history of cards and returns that of the first `limit`. `index`: the place in `cards`. */
export async function listCardHistories(db: Database, viewer: Viewer, cards: readonly CardKey[], limit: number) {
  const companies = cards.map((card) => card.company);
  const certNumbers = cards.map((card) => card.certNumber);
  const { rows } = await sql<{ index: number; history: CardHistory; counts: Counts }>`
    WITH asked AS (
      SELECT * FROM unnest(${companies}::text[], ${certNumbers}::text[]) WITH ORDINALITY AS a (company, cert_number, n)
    ), ${seenCards(viewer, null)}, picked AS MATERIALIZED (
      SELECT *, count(*) OVER () AS total, count(*) FILTER (WHERE is_own) OVER () AS own,
        count(*) FILTER (WHERE is_others) OVER () AS others, count(*) FILTER (WHERE is_twice_open) OVER () AS open
      FROM seen ORDER BY n LIMIT ${limit}
    )
    SELECT n - 1 AS index, ${historyOf(viewer, null)} AS history,
      jsonb_build_object('total', total, 'own', own, 'colleagues', others, 'twiceOpen', open) AS counts
    FROM picked AS asked ORDER BY n`.execute(db);
  return { counts: rows[0]?.counts ?? { total: 0, own: 0, colleagues: 0, twiceOpen: 0 }, cards: rows };
}

/** A page of a large sheet whose cards all have a history takes half a second to read. */
const ROWS_OF_A_PAGE = 1_000;

/**
 * Returns those of up to `limit` rows after row `cursor` whose cards have a lookup history. `nextCursor` is the id of the
 * last row examined; null if there are no more.
 */
export async function listRowHistories(
  db: Database,
  viewer: Viewer,
  { id: sessionId }: Authorized<SessionRow>,
  { cursor, limit: asked }: { cursor: number; limit: number },
): Promise<{ rows: (CardHistory & { id: string })[]; nextCursor: string | null }> {
  const limit = Math.min(asked, ROWS_OF_A_PAGE);
  const { rows } = await sql<{ id: string | null; history: CardHistory; count: number; last: string | null }>`
    WITH page AS MATERIALIZED (
      SELECT id, grading_company AS company, cert_number, outcome FROM scan_results
      WHERE ${rowsAfter(sessionId, cursor)} ORDER BY session_id, id LIMIT ${limit}
    ), asked AS MATERIALIZED (
      SELECT company, cert_number, array_agg(id) AS ids FROM page
      WHERE outcome IS NULL OR outcome NOT IN ('invalid_row', 'invalid_number') GROUP BY company, cert_number
    ), ${seenCards(viewer, sessionId)}, histories AS MATERIALIZED (
      SELECT ids, ${historyOf(viewer, sessionId)} AS history FROM seen AS asked
    )
    SELECT pages.count, pages.last, row_id::text AS id, history
    FROM (SELECT count(*) AS count, max(id)::text AS last FROM page) AS pages
    LEFT JOIN (SELECT unnest(ids) AS row_id, history FROM histories) AS listed ON true
    ORDER BY row_id`.execute(db);
  return {
    rows: rows.flatMap(({ id, history }) => (id === null ? [] : [{ ...history, id }])),
    nextCursor: rows[0]?.count === limit ? rows[0].last : null,
  };
}

/** Returns a card's lookups in other sessions: the newest `limit` of each kind, newest first. */
export function findCardHistory(db: Database, viewer: Viewer, row: RowRecord, limit: number) {
  const { grading_company: company, cert_number: certNumber, session_id: besidesSession } = row;
  return firstOf<Provenance["lookupHistory"]>(db)`
    SELECT COALESCE(${fullLookUps(viewer, besidesSession, limit)}, '[]') AS own,
      COALESCE(${colleaguesOf(viewer, besidesSession, limit)}, '[]') AS colleagues,
      EXISTS (SELECT 1 FROM ${rowsOfCard(besidesSession)} WHERE ${IN_OPEN_SESSION}) AS "isTwiceOpen"
    FROM (SELECT ${company}::text AS company, ${certNumber}::text AS cert_number) AS asked`;
}

/** Lists the other users who looked up any of these cards, and when they last did so; newest first. */
export function listElsewhere(db: Database, viewer: Viewer, cards: readonly CardKey[], limit: number) {
  return rowsOf<LookUpElsewhere>(db)`
    SELECT asked.company AS "gradingCompany", asked.cert_number AS "certNumber", colleague.by, colleague.day AS at
    FROM unnest(${cards.map((card) => card.company)}::text[], ${cards.map((card) => card.certNumber)}::text[])
      AS asked (company, cert_number)
    CROSS JOIN LATERAL (${colleagueLookUps(viewer, null, limit)}) AS colleague
    ORDER BY colleague.at DESC LIMIT ${limit}`;
}

const MOST_A_SOURCE = 20;

/**
 * Lists these sources' quotes for a row's card, oldest first, from the day before the row was created, because a quote of
 * the last day can fill it. Of more than `MOST_A_SOURCE` quotes of a source, lists the first one and the newest ones.
 */
export function listQuotes(db: Database, row: RowRecord, sources: readonly PriceSourceName[]) {
  return rowsOf<QuoteThen>(db)`
    SELECT source, to_char(fetched_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "fetchedAt", estimate,
      (price->>'lastSalePrice')::numeric AS "lastSalePrice", message
    FROM (
      SELECT *, row_number() OVER quotes AS place, count(*) OVER (PARTITION BY source) AS count
      FROM price_quotes
      WHERE grading_company = ${row.grading_company} AND cert_number = ${row.cert_number}
        AND source = ANY(${sources})
        AND fetched_at >= ${row.created_at}::timestamptz - make_interval(hours => ${PRICE_SERVES_HOURS})
      WINDOW quotes AS (PARTITION BY source ORDER BY fetched_at, id)
    ) AS quoted
    WHERE place = 1 OR place > count - ${MOST_A_SOURCE - 1} ORDER BY quoted.fetched_at, id`;
}

import { setImmediate } from "node:timers/promises";
import { sql, type RawBuilder } from "kysely";
import { CARD_FIELDS, type StoredSource } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { CARD_COLUMN_NAMES, CARD_COLUMNS, POPULATION_COLUMNS } from "../../database/card-columns.ts";
import { chunksOf } from "../../concurrency/chunks.ts";
import type { Database } from "../../database/connection.ts";
import { areKnownSame, beginTaking, gradersImage } from "../../database/row-images.ts";
import { ROWS_OF_A_JOB } from "../../database/rows-of-a-job.ts";
import { numberOf } from "../../database/statements.ts";
import { slicesOf } from "../../sheets/slices.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import { SHEET_COLUMNS, type NewRow } from "./row-columns.rules.ts";
import { assigned, AT_NOW, atText, FAILED_COLUMNS, inRun, lookUpsAnd, OPEN_STATUSES } from "./rows.repo.ts";

/*
 * Rows that need no lookup of their own. A run fills rows from cached certs, and looks up each other cert once:
 * duplicates in a sheet share a job. A row added later copies a found duplicate, or joins the job of an open one.
 */

/** The cached certs that a run may use: those from `sources`, fetched in the last `days` days. */
export type KnownTerms = { sources: readonly StoredSource[]; days: number };

function serves({ sources, days }: KnownTerms) {
  return sql`k.source = ANY(${sources}) AND k.fetched_at > now() - make_interval(days => ${days})`;
}

export type CertKey = { company: string; certNumber: string };

/** The certs of one question to the cache, so that reading the answer doesn't delay other requests. */
const CERTS_AT_ONCE = 5_000;

/** Returns those of these certs that the cache would fill, as "PSA 12345678". */
export async function listCached(db: Database, certs: readonly CertKey[], terms: KnownTerms): Promise<Set<string>> {
  const cached = new Set<string>();
  for (const some of chunksOf(certs, CERTS_AT_ONCE)) {
    const { rows } = await sql<{ cert: string }>`
      SELECT k.grading_company || ' ' || k.cert_number AS cert
      FROM jsonb_to_recordset(${JSON.stringify(some)}::jsonb) AS asked (company text, "certNumber" text)
      JOIN cached_certs AS k ON k.grading_company = asked.company AND k.cert_number = asked."certNumber"
      WHERE ${serves(terms)}`.execute(db);
    for (const { cert } of rows) cached.add(cert);
  }
  return cached;
}

/** What a card `t` with the note `card_notes` writes to a row `r`, also when the row is inserted. */
const FILLED: Record<string, RawBuilder<unknown>> = {
  status: sql`'completed'`,
  outcome: sql`'found'`,
  notes: sql`concat_ws(' · ', NULLIF(r.sheet_notes, ''), NULLIF(t.card_notes, ''))`,
  ...Object.fromEntries(CARD_COLUMN_NAMES.map((name) => [name, sql.ref(`t.${name}`)])),
};

/** Fills pending rows `r` from the cards `t` with the same cert, whose `card_notes` follow the row's own note. */
async function fillRows(
  { trx, sessionId, eventSeq }: LockedSession,
  cards: RawBuilder<unknown>,
  attempt: RawBuilder<unknown>,
  which = sql`true`,
): Promise<number> {
  await beginTaking(trx);
  const { numAffectedRows } = await sql`
    UPDATE scan_results AS r
    SET ${assigned(FILLED)}, source = t.source, processed_at = now(), event_seq = ${eventSeq},
      same_sides = t.same_sides, entry = t.entry, look_ups = ${lookUpsAnd(attempt, sql.ref("r.look_ups"))}
    FROM (${cards}) AS t
    WHERE r.session_id = ${sessionId} AND r.status = 'pending' AND ${which}
      AND t.grading_company = r.grading_company AND t.cert_number = r.cert_number`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

const CARD_FROM_CACHE = sql.join([
  ...CARD_FIELDS.map(
    (field) => sql`COALESCE(k.card->>${sql.lit(field)}, ${sql.lit(NOT_AVAILABLE)}) AS ${sql.ref(CARD_COLUMNS[field])}`,
  ),
  ...POPULATION_COLUMNS.map(
    ([field, column, type]) => sql`(k.card->>${sql.lit(field)})::${sql.raw(type)} AS ${sql.ref(column)}`,
  ),
]);

/** The cards `t` of the cached certs `k` that serve a run. */
function cachedCards(terms: KnownTerms) {
  return sql`
    SELECT grading_company, cert_number, 'known' AS source, source AS fetched_from, fetched_at, notes AS card_notes,
      same_sides, entry, ${CARD_FROM_CACHE}
    FROM cached_certs AS k WHERE ${serves(terms)}`;
}

/** The attempt that records that a row was filled from the cached card `t`. */
const FROM_CACHE = sql`jsonb_strip_nulls(jsonb_build_object('kind', 'cached', 'at', ${AT_NOW}, 'source', t.fetched_from,
  'fetchedAt', ${atText(sql`t.fetched_at`)}, 'by', t.entry->>'by'))`;

/** Fills pending rows from cached certs, without external calls. Returns the number of rows filled. */
export function fillCachedRows(locked: LockedSession, terms: KnownTerms): Promise<number> {
  // A card entered by hand that is looked up again asks the grader.
  const which = sql`(t.entry IS NULL OR r.entry IS NULL) AND ${inRun(locked)}`;
  return fillRows(locked, cachedCards(terms), FROM_CACHE, which);
}

/**
 * Small enough not to delay other requests: judging a row can take a millisecond. Twenty of them, up to 2,000 rows, are a
 * statement and an event.
 */
const SLICE = { mostItems: 100, mostCharacters: 75_000 };
const SLICES_PER_INSERT = 20;

/**
 * Inserts rows in order, up to 2,000 per statement, and takes the next rows meanwhile. Also fills pending rows whose
 * certs are cached under these terms, which is much faster than filling them later. Returns the number of settled rows
 * (filled or invalid) and of events, one for each statement or, with `isOneEvent`, one. Call `addEvents` afterward.
 */
export async function insertRows(
  locked: LockedSession,
  rows: Iterable<NewRow>,
  { terms = null, isOneEvent = false }: { terms?: KnownTerms | null; isOneEvent?: boolean } = {},
): Promise<{ settled: number; events: number }> {
  const slices = slicesOf(rows, SLICE);
  const nextChunk = async (): Promise<string | null> => {
    const parts: string[] = [];
    while (parts.length < SLICES_PER_INSERT) {
      await setImmediate();
      const { value } = slices.next();
      if (value === undefined) break;
      parts.push(JSON.stringify(value).slice(1, -1));
    }
    return parts.length === 0 ? null : `[${parts.join(",")}]`;
  };
  let settled = 0;
  let events = 0;
  if (terms) await beginTaking(locked.trx);
  for (let chunk = await nextChunk(); chunk !== null;) {
    const part = { ...locked, eventSeq: locked.eventSeq + events };
    const [count, next] = await Promise.all([insertChunk(part, chunk, terms), nextChunk()]);
    settled += count;
    if (!isOneEvent) events += 1;
    chunk = next;
  }
  return { settled, events };
}

const SHEET_TYPES = sql.join(
  Object.entries(SHEET_COLUMNS).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
);
/**
 * The rows `r` of a JSON chunk, and their `ordinality`. Reading JSON is faster than building JSONB. PostgreSQL searches
 * each object for each column, so only the columns of a sheet are listed.
 */
const rowsIn = (chunk: string) =>
  sql`ROWS FROM (json_to_recordset(${chunk}::json) AS (${SHEET_TYPES})) WITH ORDINALITY AS r`;

/** The values of a row `r` that no cached card fills. */
const OWN: Record<string, RawBuilder<unknown>> = Object.fromEntries([
  ...Object.keys(SHEET_COLUMNS).map((name) => [name, sql.ref(`r.${name}`)] as const),
  ...Object.entries(FAILED_COLUMNS)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, sql`CASE WHEN r.status = 'error' THEN ${value} END`] as const),
]);

function insertChunk(locked: LockedSession, chunk: string, terms: KnownTerms | null) {
  const isFilled = sql`t.source IS NOT NULL`;
  const valueOf = (name: string) => {
    const own = OWN[name] ?? sql`NULL`;
    const filled = terms && FILLED[name];
    return filled ? sql`CASE WHEN ${isFilled} THEN ${filled} ELSE ${own} END` : own;
  };
  const columns = [...Object.keys(SHEET_COLUMNS), ...CARD_COLUMN_NAMES];
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const values = sql.join(columns.map(valueOf));
  const common = sql`${locked.sessionId}, ${locked.userId}, ${locked.eventSeq}`;
  const insert = terms
    ? sql`
      INSERT INTO scan_results (session_id, user_id, event_seq, processed_at, source, same_sides, entry, look_ups, ${names})
      SELECT ${common}, CASE WHEN r.status = 'error' OR ${isFilled} THEN now() END, t.source,
        COALESCE(t.same_sides, false), t.entry,
        CASE WHEN ${isFilled} THEN jsonb_build_array(${FROM_CACHE}) ELSE '[]' END, ${values}
      FROM ${rowsIn(chunk)} LEFT JOIN (${cachedCards(terms)}) AS t
        ON r.status = 'pending' AND t.grading_company = r.grading_company AND t.cert_number = r.cert_number`
    : sql`
      INSERT INTO scan_results (session_id, user_id, event_seq, processed_at, ${names})
      SELECT ${common}, CASE WHEN r.status = 'error' THEN now() END, ${values} FROM ${rowsIn(chunk)}`;
  return numberOf(locked.trx)`
    WITH inserted AS (${insert} ORDER BY ordinality RETURNING status)
    SELECT count(*) FILTER (WHERE status <> 'pending')::int AS settled FROM inserted`;
}

/** The attempt that records that row `r` was filled from row `t`. */
const FROM_DUPLICATE = sql`jsonb_build_object('kind', 'duplicate', 'at', ${AT_NOW}, 'line', t.line)`;

const FRONT = gradersImage(sql.ref("r.front_image_url"));
const BACK = gradersImage(sql.ref("r.back_image_url"));
/** The card of row `r`. Its images are the grader's, not a user's photos. */
const CARD_OF_ROW = sql.join(
  CARD_COLUMN_NAMES.map((name) => {
    if (name === "front_image_url") return sql`${FRONT} AS front_image_url`;
    return name === "back_image_url" ? sql`${BACK} AS back_image_url` : sql.ref(`r.${name}`);
  }),
);

/** Fills the event's rows of these certs from duplicates of the last `days` days, and joins the others to open ones. */
export async function fillOrJoinDuplicates(locked: LockedSession, certNumbers: readonly string[], days: number) {
  const cards = sql`
    SELECT DISTINCT ON (r.grading_company, r.cert_number) r.grading_company, r.cert_number, r.source, r.entry, r.line,
      ${CARD_OF_ROW}, r.same_sides OR ${areKnownSame(FRONT, BACK)} AS same_sides,
      substr(r.notes, CASE WHEN r.sheet_notes = '' THEN 1 ELSE length(r.sheet_notes || ' · ') + 1 END) AS card_notes
    FROM scan_results AS r
    WHERE r.session_id = ${locked.sessionId} AND r.cert_number = ANY(${certNumbers}) AND r.outcome = 'found'
      AND r.status IN ('completed', 'completed_retry') AND r.processed_at > now() - make_interval(days => ${days})
    ORDER BY r.grading_company, r.cert_number, r.id DESC`;
  const isNew = sql`r.event_seq = ${locked.eventSeq} AND r.job_id IS NULL`;
  const filled = await fillRows(locked, cards, FROM_DUPLICATE, isNew);
  await joinDuplicates(locked, certNumbers);
  return filled;
}

/**
 * Joins the event's pending rows to open duplicates with all progress columns: rows of a job never differ. Once a
 * card has as many open rows as a job may have, further rows get jobs of their own.
 */
export async function joinDuplicates(locked: LockedSession, certNumbers: readonly string[] | null) {
  const isNewcomer = sql`status = 'pending' AND job_id IS NULL AND event_seq = ${locked.eventSeq}`;
  // Join only by primary key, as in `giveJobs`: a retry can reopen tens of thousands of rows.
  await sql`
    WITH card AS MATERIALIZED (
      SELECT id, is_newcomer, first_value(id) OVER cert AS duplicate, first_value(is_newcomer) OVER cert AS is_alone,
        row_number() OVER cert AS place
      FROM (
        SELECT id, grading_company, cert_number, (${isNewcomer}) AS is_newcomer FROM scan_results
        WHERE session_id = ${locked.sessionId} AND (${certNumbers}::text[] IS NULL OR cert_number = ANY(${certNumbers}::text[]))
          AND (status = 'waiting' OR (status = ANY(${OPEN_STATUSES}) AND job_id IS NOT NULL) OR (${isNewcomer}))
      ) AS open
      WINDOW cert AS (PARTITION BY grading_company, cert_number ORDER BY is_newcomer, id)
    )
    UPDATE scan_results AS r
    SET status = t.status, job_id = t.job_id, own_mode = t.own_mode, retries = t.retries, attempts = t.attempts,
      claimed_at = t.claimed_at, outcome = t.outcome, waiting_until = t.waiting_until, item_name = t.item_name,
      processing_error = t.processing_error, look_ups = ${lookUpsAnd(FROM_DUPLICATE, sql.ref("r.look_ups"))}
    FROM card JOIN scan_results AS t ON t.id = card.duplicate
    WHERE r.id = card.id AND card.is_newcomer AND NOT card.is_alone AND card.place <= ${ROWS_OF_A_JOB}`.execute(
    locked.trx,
  );
}

import { sql } from "kysely";
import { cardSchema, NO_POPULATION, type Card, type StoredSource } from "@slabdesk/contract/api/cards.ts";
import type { Entry } from "@slabdesk/contract/api/results.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { PREPARED, type Database } from "../../database/connection.ts";
import { firstOf, numberOf } from "../../database/statements.ts";
import type { Found } from "../../graders/grader.ts";

export type CachedCert = { card: Card; source: StoredSource; notes: string };

/** Finds a card that any user looked up in the last `days` days. Cards from before populations were read have none. */
export async function findCachedCert(db: Database, company: Company, certNumber: string, days: number) {
  const { rows } = await sql<CachedCert>`
    SELECT card, source, notes FROM cached_certs
    WHERE grading_company = ${company} AND cert_number = ${certNumber}
      AND fetched_at > now() - make_interval(days => ${days})`.execute(db);
  return rows[0] ? { ...rows[0], card: cardSchema.parse({ ...NO_POPULATION, ...rows[0].card }) } : null;
}

/** Returns at least the number of cards that running sessions have open. Its cost doesn't grow with them. */
export function boundOpenCards(db: Database): Promise<number> {
  return numberOf(db)`
    SELECT COALESCE(sum(total_cards - processed_cards), 0) AS cards FROM scan_sessions
    WHERE status = 'processing' ${PREPARED}`;
}

/** A sheet's duplicates share a lookup, so more rows than calls are read. */
const MOST_DUPLICATES = 10_000;

/** Counts PSA's cards of running sessions that may need the API, among at most `callsLeft + MOST_DUPLICATES` rows. */
export function countOpenPsaCards(db: Database, callsLeft: number): Promise<number> {
  return numberOf(db)`
    SELECT count(DISTINCT cert_number)::int AS cards FROM (
      SELECT r.cert_number FROM scan_sessions AS s CROSS JOIN LATERAL (
        SELECT cert_number FROM scan_results
        WHERE session_id = s.id AND grading_company = 'PSA' AND status IN ('pending', 'processing', 'queued', 'waiting')
          AND own_mode IS DISTINCT FROM 'scraping'
        LIMIT ${callsLeft + MOST_DUPLICATES}
      ) AS r
      WHERE s.status = 'processing' AND s.processing_mode <> 'scraping'
      LIMIT ${callsLeft + MOST_DUPLICATES}
    ) AS open`;
}

/**
 * Upserts certs. Keeps `same_sides` while both URLs are unchanged. Locks in order, so that two calls can't deadlock.
 */
export async function saveCachedCerts(db: Database, found: readonly (CachedCert & Pick<Found, "imagesDue">)[]) {
  const certs = new Map(found.map((cert) => [`${cert.card.gradingCompany} ${cert.card.certNumber}`, cert]));
  const values = [...certs.keys()]
    .toSorted()
    .flatMap((key) => certs.get(key) ?? [])
    .map(cachedColumns);
  if (values.length === 0) return;
  await db
    .insertInto("cached_certs")
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(["grading_company", "cert_number"]).doUpdateSet((eb) => ({
        card: eb.ref("excluded.card"),
        source: eb.ref("excluded.source"),
        notes: eb.ref("excluded.notes"),
        entry: null,
        images_due_at: eb.ref("excluded.images_due_at"),
        image_failures: eb.ref("excluded.image_failures"),
        fetched_at: eb.ref("excluded.fetched_at"),
        same_sides: sql<boolean>`cached_certs.same_sides
          AND cached_certs.card->>'imageUrl' = excluded.card->>'imageUrl'
          AND cached_certs.card->>'imageUrlBack' = excluded.card->>'imageUrlBack'`,
      })),
    )
    .execute();
}

function cachedColumns({ card, source, notes, imagesDue }: CachedCert & Pick<Found, "imagesDue">) {
  return {
    grading_company: card.gradingCompany,
    cert_number: card.certNumber,
    card: JSON.stringify(card),
    source,
    notes,
    images_due_at: imagesDue ? dueAfter(imagesDue.failures) : null,
    image_failures: imagesDue?.failures ?? 0,
    fetched_at: sql<Date>`now()`,
  };
}

export type EnteredCert = { card: Card; notes: string; entry: Entry };

/** Caches a card entered by hand, unless a grader's answer from the last `days` days is cached. */
export async function saveEnteredCert(db: Database, { card, notes, entry }: EnteredCert, days: number): Promise<void> {
  const values = { card: JSON.stringify(card), source: "hand" as const, notes, entry: JSON.stringify(entry) };
  await db
    .insertInto("cached_certs")
    .values({ grading_company: card.gradingCompany, cert_number: card.certNumber, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(["grading_company", "cert_number"])
        .doUpdateSet({ ...values, same_sides: false, fetched_at: sql<Date>`now()` })
        .where(sql<boolean>`(cached_certs.source = 'hand'
          OR cached_certs.fetched_at <= now() - make_interval(days => ${days}))`),
    )
    .execute();
}

/** Removes a cached cert that was entered by hand at this time. */
export async function deleteEnteredCert(db: Database, company: string, certNumber: string, at: string): Promise<void> {
  await sql`
    DELETE FROM cached_certs WHERE grading_company = ${company} AND cert_number = ${certNumber}
      AND source = 'hand' AND entry->>'at' = ${at}`.execute(db);
}

/** A failed attempt is repeated an hour later. */
function dueAfter(failures: number) {
  return sql<Date>`now() + make_interval(hours => ${failures === 0 ? 0 : 1})`;
}

export type DueImages = { certNumber: string; notes: string; failures: number };

/** Finds the cached PSA cert whose images have been due the longest. */
export function findDueImages(db: Database): Promise<DueImages | null> {
  return firstOf<DueImages>(db)`
    SELECT cert_number AS "certNumber", notes, image_failures AS failures FROM cached_certs
    WHERE images_due_at <= now() AND grading_company = 'PSA' ORDER BY images_due_at LIMIT 1`;
}

/** Makes the images due again later, so that no other node fetches them now. Returns false if another one did this. */
export async function claimImages(db: Database, { certNumber }: DueImages): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE cached_certs SET images_due_at = now() + interval '10 minutes'
    WHERE grading_company = 'PSA' AND cert_number = ${certNumber} AND images_due_at <= now()`.execute(db);
  return numAffectedRows === 1n;
}

export async function postponeImages(db: Database, { certNumber }: DueImages, failures: number): Promise<void> {
  await sql`
    UPDATE cached_certs SET images_due_at = ${dueAfter(failures)}, image_failures = ${failures}
    WHERE grading_company = 'PSA' AND cert_number = ${certNumber} AND images_due_at IS NOT NULL`.execute(db);
}

/** Ends the search for a cached cert's images, with or without success. Returns the card. */
export async function settleImages(
  db: Database,
  { certNumber }: DueImages,
  { urls, notes }: { urls: Partial<Card>; notes: string },
): Promise<Card | null> {
  const { rows } = await sql<{ card: Card }>`
    UPDATE cached_certs SET card = card || ${JSON.stringify(urls)}::jsonb, notes = ${notes}, images_due_at = NULL
    WHERE grading_company = 'PSA' AND cert_number = ${certNumber} AND images_due_at IS NOT NULL
    RETURNING card`.execute(db);
  return rows[0] ? cardSchema.parse({ ...NO_POPULATION, ...rows[0].card }) : null;
}

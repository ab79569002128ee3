import { sql } from "kysely";
import { cardSchema, NO_POPULATION, type Card, type StoredSource } from "@slabdesk/contract/api/cards.ts";
import type { Entry } from "@slabdesk/contract/api/entry.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";

export type CachedCert = { card: Card; source: StoredSource; notes: string };

/** Finds a card that any user looked up in the last `days` days. Cards from before populations were read have none. */
export async function findCachedCert(db: Database, company: Company, certNumber: string, days: number) {
  const { rows } = await sql<CachedCert>`
    SELECT card, source, notes FROM cached_certs
    WHERE grading_company = ${company} AND cert_number = ${certNumber}
      AND fetched_at > now() - make_interval(days => ${days})`.execute(db);
  return rows[0] ? { ...rows[0], card: cardSchema.parse({ ...NO_POPULATION, ...rows[0].card }) } : null;
}

/** Upserts a cached cert; the newest look-up wins. Keeps `same_sides` while both picture URLs are unchanged. */
export async function saveCachedCert(db: Database, { card, source, notes }: CachedCert): Promise<void> {
  const values = { card: JSON.stringify(card), source, notes, entry: null, fetched_at: sql<Date>`now()` };
  await db
    .insertInto("cached_certs")
    .values({ grading_company: card.gradingCompany, cert_number: card.certNumber, ...values })
    .onConflict((conflict) =>
      conflict.columns(["grading_company", "cert_number"]).doUpdateSet({
        ...values,
        same_sides: sql<boolean>`cached_certs.same_sides
          AND cached_certs.card->>'imageUrl' = excluded.card->>'imageUrl'
          AND cached_certs.card->>'imageUrlBack' = excluded.card->>'imageUrlBack'`,
      }),
    )
    .execute();
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

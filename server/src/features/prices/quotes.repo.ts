import { sql } from "kysely";
import {
  PRICE_SERVES_HOURS,
  type CardsiqPricing,
  type PriceSourceName,
  type Pricing,
} from "@slabdesk/contract/api/prices.ts";
import { AUTOGRAPH_BRAND, type Company } from "@slabdesk/contract/certs/company.ts";
import type { Sale } from "@slabdesk/contract/market/money.ts";
import type { Database } from "../../database/connection.ts";
import { numberOf, rowsOf } from "../../database/statements.ts";
import type { PricedCard } from "../../price-sources/price-source.ts";

/** A source's answer for a card at one time. If the source has no price, `price` is null and `message` says so. */
export type PriceQuote = { quoteId: number; price: Pricing | CardsiqPricing | null; message: string };
export type NewQuote = Omit<PriceQuote, "quoteId"> &
  PricedCard & { source: PriceSourceName; sales: readonly Sale[]; fetchedAt: Date };

/** Whether a quote `q` still serves as a card's price. */
export const IS_FRESH = sql`q.fetched_at > now() - make_interval(hours => ${PRICE_SERVES_HOURS})`;

/** Lists the newest quote of each card within PRICE_SERVES_HOURS. Keys look like "PSA 12345678". */
export async function listFreshQuotes(db: Database, source: PriceSourceName, cards: readonly PricedCard[]) {
  const { rows } = await sql<PriceQuote & { card: string }>`
    SELECT DISTINCT ON (q.grading_company, q.cert_number)
      q.grading_company || ' ' || q.cert_number AS card, q.id AS "quoteId", q.price, q.message
    FROM jsonb_to_recordset(${JSON.stringify(cards)}::jsonb) AS asked (company text, "certNumber" text)
    JOIN price_quotes AS q ON q.source = ${source} AND q.grading_company = asked.company
      AND q.cert_number = asked."certNumber" AND ${IS_FRESH}
    ORDER BY q.grading_company, q.cert_number, q.fetched_at DESC, q.id DESC`.execute(db);
  return new Map(rows.map(({ card, ...quote }) => [card, quote]));
}

export async function saveQuote(db: Database, quote: NewQuote): Promise<PriceQuote> {
  const { source, company, certNumber, price, message, fetchedAt } = quote;
  const [priceJson, salesJson] = [price && JSON.stringify(price), JSON.stringify(quote.sales)];
  const quoteId = await numberOf(db)`
    INSERT INTO price_quotes (source, grading_company, cert_number, price, sales, message, fetched_at)
    VALUES (${source}, ${company}, ${certNumber}, ${priceJson}, ${salesJson}, ${message}, ${fetchedAt}) RETURNING id`;
  return { quoteId, price, message };
}

export async function listSales(db: Database, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; sales: Sale[]; fetchedAt: Date }>`
    SELECT id, sales, fetched_at AS "fetchedAt" FROM price_quotes WHERE id = ANY(${ids}::bigint[])`.execute(db);
  return new Map(rows.map((quote) => [quote.id, quote]));
}

/** Lists up to 1,000 cached certs with this card name, ignoring case, newest first. */
export function listCardsNamed(db: Database, company: Company, name: string) {
  return rowsOf<{ certNumber: string; grade: string }>(db)`
    SELECT cert_number AS "certNumber", card->>'grade' AS grade FROM cached_certs
    WHERE grading_company = ${company} AND md5(lower(card->>'itemName')) = md5(lower(${name}))
      AND lower(card->>'itemName') = lower(${name}) AND card->>'brand' IS DISTINCT FROM ${AUTOGRAPH_BRAND}
    ORDER BY fetched_at DESC LIMIT 1000`;
}

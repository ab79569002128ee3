import { sql, type RawBuilder } from "kysely";
import type { CardsiqPricing, PriceState, Pricing } from "@slabdesk/contract/api/prices.ts";

type PriceRecord<Price> = {
  state: PriceState;
  message: string;
  quoteId: number | null;
  price: Price | null;
  /** The first price, once there is a newer one. */
  first: Price | null;
};
/** A row's prices by source. Sources that were not asked are missing. */
export type PriceRecords = { cardladder?: PriceRecord<Pricing>; cardsiq?: PriceRecord<CardsiqPricing> };

/** Selects the prices of a row of `scan_results`, which the query calls `row`. */
export function pricesOf(row: "r" | "scan_results"): RawBuilder<PriceRecords> {
  return sql<PriceRecords>`(
    SELECT COALESCE(json_object_agg(p.source, json_build_object(
      'state', p.state, 'message', p.message, 'quoteId', p.quote_id, 'price', newest.price, 'first', earliest.price)), '{}')
    FROM result_prices AS p
    LEFT JOIN price_quotes AS newest ON newest.id = p.quote_id
    LEFT JOIN price_quotes AS earliest ON earliest.id = p.first_quote_id
    WHERE p.result_id = ${sql.ref(`${row}.id`)})`;
}

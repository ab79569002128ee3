import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { firstFound, listingPriceOf, marketValueOf } from "@slabdesk/contract/market/listing-price.ts";
import { centsOf, dollarsOf } from "@slabdesk/contract/market/money.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";

/** What a shop's file would list. `below` are the cards listed below their market value, the largest loss first. */
export type ListingReport = {
  count: number;
  unpricedCount: number;
  /** In dollars. */
  total: number;
  below: readonly { row: ResultRow; price: number; market: number }[];
};

export function listingReportOf(rows: RowsSnapshot, listing: ListingPrice): ListingReport {
  const listed = rows.filter(firstFound());
  const priced = listed.flatMap((row) => {
    const price = listingPriceOf(listing, row);
    return price === null ? [] : [{ row, price, market: marketValueOf(row) ?? 0 }];
  });
  return {
    count: listed.length,
    unpricedCount: listed.length - priced.length,
    total: dollarsOf(priced.reduce((sum, { price }) => sum + centsOf(price), 0)),
    below: priced
      .filter(({ price, market }) => price < market)
      .sort((one, other) => other.market - other.price - (one.market - one.price)),
  };
}

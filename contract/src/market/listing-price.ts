import type { ListingPrice } from "../api/prices.ts";
import type { ResultRow } from "../api/results.ts";
import { metricOf, type PricedRow } from "./buy-offer.ts";
import { centsOf, dollarsOf } from "./money.ts";

export const DEFAULT_LISTING_PRICE: ListingPrice = { listAt: "customerPrice", listPercent: 100 };

/** The price at which a row is listed, in dollars. Null if the row lacks the amount that it is based on. */
export function listingPriceOf(price: ListingPrice, row: PricedRow & { customerPrice: string }): number | null {
  const customerPrice = Number(row.customerPrice);
  if (price.listAt === "customerPrice") return customerPrice > 0 ? customerPrice : null;
  const basis = price.listAt === "median" ? metricOf("medianPrice", row) : estimateOf(row);
  return basis === null ? null : dollarsOf(Math.round((centsOf(basis) * price.listPercent) / 100));
}

/** What a card is worth, in dollars: an estimate, else the median. Null if no price source knows. */
export function marketValueOf(row: PricedRow): number | null {
  return estimateOf(row) ?? metricOf("medianPrice", row);
}

function estimateOf(row: PricedRow): number | null {
  return metricOf("cardladderEstimate", row) ?? metricOf("cardsiqEstimate", row);
}

/** A filter for the rows that a shop can list: the first found row of each cert, because a slab can't be sold twice. */
export function firstFound(): (row: Pick<ResultRow, "outcome" | "gradingCompany" | "certNumber">) => boolean {
  const seen = new Set<string>();
  return ({ outcome, gradingCompany, certNumber }) => {
    const key = `${gradingCompany} ${certNumber}`;
    if (outcome !== "found" || seen.has(key)) return false;
    seen.add(key);
    return true;
  };
}

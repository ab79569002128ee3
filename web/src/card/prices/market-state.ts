import type { Pricing } from "@slabdesk/contract/api/prices.ts";
import { type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { rowTitle } from "../row-messages.ts";
import { saleDate, trendStyle, formatVelocity } from "./price-messages.ts";
import { counted, formatCount, money } from "../../ui/format-numbers.ts";

/**
 * The state of a row's Market Data cell. `blank`: there is no card to price. `metrics`: they stay while they are
 * fetched again (`isRenewing`) and if that failed (`message`). `unasked` rows and rows without a price offer Get Price.
 */
export type MarketState =
  | { kind: "blank" }
  | { kind: "metrics"; pricing: Pricing; isRenewing: boolean; message: string }
  | { kind: "pending" | "waiting" | "unasked" }
  | { kind: "none" | "failed"; message: string };

export function marketState(row: ResultRow): MarketState {
  const { state, message } = row.prices.cardladder;
  if (row.pricing !== null)
    return { kind: "metrics", pricing: row.pricing, isRenewing: state === "pending" || state === "waiting", message };
  if (!isFound(row)) return { kind: "blank" };
  if (state === "none" || state === "failed") return { kind: state, message };
  return { kind: state === "pending" || state === "waiting" ? state : "unasked" };
}

/** True if a price source has a price for the card. */
export const hasPrice = ({ pricing, cardsiq }: Pick<ResultRow, "pricing" | "cardsiq">): boolean =>
  pricing !== null || cardsiq !== null;

/** True for a found card for which a price source was queried but none has a price. */
export function hasNoPrice(row: ResultRow): boolean {
  if (!isFound(row) || hasPrice(row)) return false;
  return Object.values(row.prices).some(({ state }) => state === "none" || state === "failed");
}

/** The details that don't fit in the cell, one per line. */
export function marketDetails(pricing: Pricing, remark: string): string {
  const { averagePrice, medianPrice, lastSalePrice, salesCount, sampleSize, newestSaleAt } = pricing;
  const velocity = pricing.salesVelocity.thirtyDay;
  const trend = trendStyle(pricing.priceTrend);
  const outliers = (salesCount ?? 0) - (sampleSize ?? 0);
  const leftOut = outliers > 0 ? `, ${counted(outliers, "outlier")} left out` : "";
  const lines = [
    averagePrice === null ? "No sales in 30 days" : `30-day average ${money(averagePrice)}`,
    medianPrice === null ? null : `30-day median ${money(medianPrice)}`,
    lastSalePrice === null ? null : `Last sale ${money(lastSalePrice)}`,
    trend && `Trend ${trend.word}`,
    salesCount === null
      ? null
      : `${counted(salesCount, "sale")}${velocity === null ? "" : `, ${formatVelocity(velocity)}`}`,
    sampleSize === null || sampleSize === 0 ? null : `Computed from n = ${formatCount(sampleSize)}${leftOut}`,
    newestSaleAt === null ? null : `Newest sale ${saleDate(newestSaleAt)}`,
    remark === "" ? null : `Not updated: ${remark}`,
  ];
  return lines.filter((line) => line !== null).join("\n");
}

/** A row's name for labels. */
export function cardName(row: ResultRow): string {
  const title = rowTitle(row);
  return title === null || title === NOT_AVAILABLE ? row.certNumber : title;
}

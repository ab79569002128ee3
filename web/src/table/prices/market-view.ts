import type { PriceSourceName, Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { rowTitle } from "../row-messages.ts";
import { count, money, formatOutliers, sales, saleDate, trendStyle, formatVelocity } from "./price-messages.ts";

/**
 * What the Market Data cell of a row is. `blank`: there is no card to price. `figures` stay while they are fetched anew
 * (`isRenewing`) and when that failed (`words`). `unasked` rows and those without a price offer Get Price.
 */
export type MarketView =
  | { kind: "blank" }
  | { kind: "figures"; pricing: Pricing; isRenewing: boolean; message: string }
  | { kind: "pending" }
  | { kind: "waiting" }
  | { kind: "none"; message: string }
  | { kind: "failed"; message: string }
  | { kind: "unasked" };

export function marketView(row: ResultRow): MarketView {
  const { state, message } = row.prices.cardladder;
  if (row.pricing !== null)
    return { kind: "figures", pricing: row.pricing, isRenewing: state === "pending" || state === "waiting", message };
  if (!isFound(row)) return { kind: "blank" };
  switch (state) {
    case "none":
    case "failed":
      return { kind: state, message };
    case "pending":
    case "waiting":
      return { kind: state };
    case "priced":
    case null:
      return { kind: "unasked" };
  }
}

/** True for a found card that was asked for at a price source, of which none has a price for it. */
export function hasNoPrice(row: ResultRow): boolean {
  if (!isFound(row) || row.pricing !== null || row.cardsiq !== null) return false;
  const isAnswer = ({ state }: ResultRow["prices"][PriceSourceName]): boolean => state === "none" || state === "failed";
  return isAnswer(row.prices.cardladder) || isAnswer(row.prices.cardsiq);
}

/** All that the cell's figures have no room for, in lines. */
export function marketStory(pricing: Pricing, remark: string): string {
  const { averagePrice, medianPrice, lastSalePrice, salesCount, sampleSize, newestSaleAt } = pricing;
  const velocity = pricing.salesVelocity.thirtyDay;
  const trend = trendStyle(pricing.priceTrend);
  const lines = [
    averagePrice === null ? "No sales in 30 days" : `30-day average ${money(averagePrice)}`,
    medianPrice === null ? null : `30-day median ${money(medianPrice)}`,
    lastSalePrice === null ? null : `Last sale ${money(lastSalePrice)}`,
    trend && `Trend ${trend.word}`,
    salesCount === null ? null : `${sales(salesCount)}${velocity === null ? "" : `, ${formatVelocity(velocity)}`}`,
    sampleSize === null || sampleSize === 0 ? null : sampleMessage(sampleSize, salesCount),
    newestSaleAt === null ? null : `Newest sale ${saleDate(newestSaleAt)}`,
    remark === "" ? null : `Not fetched anew: ${remark}`,
  ];
  return lines.filter((line) => line !== null).join("\n");
}

function sampleMessage(sampleSize: number, salesCount: number | null): string {
  const outliers = (salesCount ?? sampleSize) - sampleSize;
  const message = `Figures of n = ${count(sampleSize)}`;
  if (outliers <= 0) return message;
  return `${message}, ${formatOutliers(outliers)} left out`;
}

/** How a row goes by in a label. */
export function cardName(row: ResultRow): string {
  const title = rowTitle(row);
  return title === null || title === NOT_AVAILABLE ? row.certNumber : title;
}

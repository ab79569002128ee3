import type { PriceSourceName, Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { isFound } from "@slabdesk/contract/look/row-state.ts";
import { rowTitle } from "../row-words.ts";
import { count, money, outlierWords, sales, saleDate, trendLook, velocityWords } from "./price-words.ts";

/**
 * What the Market Data cell of a row is. `blank`: there is no card to price. `figures` stay while they are fetched anew
 * (`isRenewing`) and when that failed (`words`). `unasked` rows and those without a price offer Get Price.
 */
export type MarketView =
  | { kind: "blank" }
  | { kind: "figures"; pricing: Pricing; isRenewing: boolean; words: string }
  | { kind: "pending" }
  | { kind: "waiting" }
  | { kind: "none"; words: string }
  | { kind: "failed"; words: string }
  | { kind: "unasked" };

export function marketView(row: ResultRow): MarketView {
  const { state, words } = row.prices.cardladder;
  if (row.pricing !== null)
    return { kind: "figures", pricing: row.pricing, isRenewing: state === "pending" || state === "waiting", words };
  if (!isFound(row)) return { kind: "blank" };
  switch (state) {
    case "none":
    case "failed":
      return { kind: state, words };
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
  const trend = trendLook(pricing.priceTrend);
  const lines = [
    averagePrice === null ? "No sales in 30 days" : `30-day average ${money(averagePrice)}`,
    medianPrice === null ? null : `30-day median ${money(medianPrice)}`,
    lastSalePrice === null ? null : `Last sale ${money(lastSalePrice)}`,
    trend && `Trend ${trend.word}`,
    salesCount === null ? null : `${sales(salesCount)}${velocity === null ? "" : `, ${velocityWords(velocity)}`}`,
    sampleSize === null || sampleSize === 0 ? null : sampleWords(sampleSize, salesCount),
    newestSaleAt === null ? null : `Newest sale ${saleDate(newestSaleAt)}`,
    remark === "" ? null : `Not fetched anew: ${remark}`,
  ];
  return lines.filter((line) => line !== null).join("\n");
}

function sampleWords(sampleSize: number, salesCount: number | null): string {
  const outliers = (salesCount ?? sampleSize) - sampleSize;
  const words = `Figures of n = ${count(sampleSize)}`;
  if (outliers <= 0) return words;
  return `${words}, ${outlierWords(outliers)} left out`;
}

/** How a row goes by in a label. */
export function cardName(row: ResultRow): string {
  const title = rowTitle(row);
  return title === null || title === NOT_AVAILABLE ? row.certNumber : title;
}

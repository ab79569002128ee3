import type { PriceTrend } from "@slabdesk/contract/api/prices.ts";
import type { PriceMetric } from "@slabdesk/contract/market/buy-offer.ts";
import type { Drift } from "@slabdesk/contract/market/disagreement.ts";
import { momentOf } from "@slabdesk/contract/market/market-metrics.ts";

const MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const WHOLE_MONEY = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const AMOUNT = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const COUNT = new Intl.NumberFormat("en-US");
/** Sales have a day, and sources write it as midnight UTC. */
const SALE_DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const SALE_DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const MOMENT = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric" });

/** "$1,250.00"; the amount is in dollars. */
export const money = (dollars: number): string => MONEY.format(dollars);

/** "$1,250": the labels of an axis. */
export const wholeMoney = (dollars: number): string => WHOLE_MONEY.format(dollars);

/** "1,250.00", as amounts stand in the columns of the table. */
export const amount = (dollars: number): string => AMOUNT.format(dollars);

/** The same where there is little room: from 1,000 dollars on without cents. */
export const shortAmount = (dollars: number): string =>
  dollars >= 1_000 ? COUNT.format(Math.round(dollars)) : AMOUNT.format(dollars);

export const count = (number: number): string => COUNT.format(number);

/** "1 sale", "12 sales" */
export const sales = (number: number): string => `${count(number)} ${number === 1 ? "sale" : "sales"}`;

/** "1 outlier", "3 outliers" */
export const formatOutliers = (number: number): string => `${count(number)} ${number === 1 ? "outlier" : "outliers"}`;

/** "Nov 3", of the moment of a sale in milliseconds. */
export const saleDay = (at: number): string => SALE_DAY.format(at);

/** "Nov 3, 2026", the day of a sale; a date that cannot be read is given back as the source wrote it. */
export function saleDate(soldAt: string): string {
  const at = momentOf(soldAt);
  return at === null ? soldAt : SALE_DATE.format(at);
}

/** "Nov 21, 2026, 2:05 PM" in the reader's time zone: when a price was fetched. */
export const moment = (at: string): string => MOMENT.format(new Date(at));

/** "May 3" in the reader's time zone. */
export const dayOf = (at: string): string => DAY.format(new Date(at));

export type TrendStyle = { arrow: string; word: "up" | "down" | "flat" };

/** Arrow and word of SPEC's trend: up, down, and flat for "other"; null where there were too few sales to tell. */
export function trendStyle(priceTrend: PriceTrend | null): TrendStyle | null {
  switch (priceTrend) {
    case null:
      return null;
    case "increasing":
      return { arrow: "▲", word: "up" };
    case "decreasing":
      return { arrow: "▼", word: "down" };
    case "other":
      return { arrow: "▬", word: "flat" };
  }
}

export type DriftStyle = { arrow: string; tone: "up" | "down"; percent: string; message: string };

/**
 * How an amount has moved since it was first fetched: "▲ 12 %", and "up 12 %, was $410.00 on May 3" for all who don't
 * see it; null where it has not moved.
 */
export function driftStyle(drift: Drift | null, then: number | null | undefined, fetchedAt: string): DriftStyle | null {
  if (drift === null || drift.dollars === 0 || typeof then !== "number") return null;
  const tone = drift.dollars > 0 ? "up" : "down";
  const percent = `${formatPercent(drift.percent)} %`;
  return {
    arrow: tone === "up" ? "▲" : "▼",
    tone,
    percent,
    message: `${tone} ${percent}, was ${money(then)} on ${dayOf(fetchedAt)}`,
  };
}

/** Whole percent from ten on, tenths below; without a sign. */
export function formatPercent(percent: number): string {
  const size = Math.abs(percent);
  return size >= 10 ? count(Math.round(size)) : String(Math.round(size * 10) / 10);
}

const CONFIDENCE_LABELS = ["very low", "low", "medium", "high", "very high"] as const;

/** "4 of 5, high"; `confidence` is 1 to 5. */
export function formatConfidence(confidence: number): string {
  const word = CONFIDENCE_LABELS[confidence - 1];
  return `${confidence} of 5${word === undefined ? "" : `, ${word}`}`;
}

/** "0.5 a day" */
export const formatVelocity = (aDay: number): string => `${rate(aDay)} a day`;

/** Sales a day with as many digits as say something: "2.4", "0.07". */
export function rate(aDay: number): string {
  return aDay !== 0 && aDay < 0.095 ? aDay.toFixed(2) : aDay.toFixed(1);
}

/** What offers can be a percentage of, as staff call it. */
export const FIGURE_LABELS: Record<PriceMetric, string> = {
  cardladderEstimate: "CardLadder estimate",
  averagePrice: "30-day average",
  medianPrice: "30-day median",
  lastSalePrice: "Last sale",
  cardsiqEstimate: "CardsIQ estimate",
  lowest: "Lowest of these",
};

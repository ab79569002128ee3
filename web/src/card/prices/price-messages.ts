import type { OfferRule, PriceMetric, PriceTrend } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { formatDay, formatUtcDay } from "@slabdesk/contract/certs/dates.ts";
import { metricOf, ruleOfferOf } from "@slabdesk/contract/market/buy-offer.ts";
import type { Drift } from "@slabdesk/contract/market/disagreement.ts";
import { momentOf } from "@slabdesk/contract/market/market-metrics.ts";
import { ApiError, errorMessage } from "../../api/errors.ts";
import { formatCount, money } from "../../ui/format-numbers.ts";

const AMOUNT = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** "1,250.00", as in the table's columns. */
export const amount = (dollars: number): string => AMOUNT.format(dollars);

/** Like `amount`, but without cents from 1,000 dollars up. */
export const shortAmount = (dollars: number): string =>
  dollars >= 1_000 ? formatCount(Math.round(dollars)) : AMOUNT.format(dollars);

/** "Nov 3, 2026", the date of a sale, which sources send as midnight UTC. Returns an invalid date unchanged. */
export function saleDate(soldAt: string): string {
  const at = momentOf(soldAt);
  return at === null ? soldAt : formatUtcDay(at);
}

export type TrendStyle = { arrow: string; word: "up" | "down" | "flat" };

const TREND_STYLES: Readonly<Record<PriceTrend, TrendStyle>> = {
  increasing: { arrow: "▲", word: "up" },
  decreasing: { arrow: "▼", word: "down" },
  other: { arrow: "▬", word: "flat" },
};

/** The arrow and label of a price trend. Null if there were too few sales. */
export const trendStyle = (trend: PriceTrend | null): TrendStyle | null => trend && TREND_STYLES[trend];

export type DriftStyle = { arrow: string; tone: "up" | "down"; percent: string; message: string };

/** "▲ 12%", and "up 12%, was $410.00 on May 3, 2026" for screen readers; null if the first price is unchanged. */
export function driftStyle(drift: Drift | null, then: number | null | undefined, fetchedAt: string): DriftStyle | null {
  if (drift === null || drift.dollars === 0 || typeof then !== "number") return null;
  const tone = drift.dollars > 0 ? "up" : "down";
  const percent = `${formatPercent(drift.percent)}%`;
  return {
    arrow: tone === "up" ? "▲" : "▼",
    tone,
    percent,
    message: `${tone} ${percent}, was ${money(then)} on ${formatDay(fetchedAt)}`,
  };
}

/** Whole percent from ten up, tenths below; without a sign. */
export function formatPercent(percent: number): string {
  const size = Math.abs(percent);
  return size >= 10 ? formatCount(Math.round(size)) : String(Math.round(size * 10) / 10);
}

const CONFIDENCE_LABELS = ["very low", "low", "medium", "high", "very high"];

/** "4 of 5, high"; `confidence` is 1 to 5. */
export function formatConfidence(confidence: number): string {
  const word = CONFIDENCE_LABELS[confidence - 1];
  return `${confidence} of 5${word === undefined ? "" : `, ${word}`}`;
}

/** "0.5 a day" */
export const formatVelocity = (aDay: number): string => `${rate(aDay)} a day`;

/** Sales per day with meaningful digits only: "2.4", "0.07". */
export const rate = (aDay: number): string => aDay.toFixed(aDay !== 0 && aDay < 0.095 ? 2 : 1);

/** Labels of the price metrics that an offer can be based on. */
export const METRIC_LABELS: Record<PriceMetric, string> = {
  cardladderEstimate: "CardLadder estimate",
  averagePrice: "30-day average",
  medianPrice: "30-day median",
  lastSalePrice: "Last sale",
  cardsiqEstimate: "CardsIQ estimate",
  lowest: "Lowest of these",
};

/** Where an offer comes from, or why there is none. Empty without a rule and an own offer. */
export function offerDetails(rule: OfferRule | null, row: ResultRow): string {
  if (row.ownOffer === null) return rule === null ? "" : ruleOfferDetails(rule, row);
  const byRule = rule && ruleOfferOf(rule, row);
  return byRule === null ? "Entered by hand" : `Entered by hand. The rule offers ${money(byRule)}`;
}

/** How a rule's offer was calculated, after rounding, or why there is none: "69% of 30-day median $398.00". */
export function ruleOfferDetails(rule: OfferRule, row: Pick<ResultRow, "pricing" | "cardsiq">): string {
  const metric = metricOf(rule.metric, row);
  const label = rule.metric === "lowest" ? "lowest price metric" : METRIC_LABELS[rule.metric];
  if (metric === null) return `No ${rule.metric === "lowest" ? "price" : label} to offer on`;
  const basis = `${label} ${money(metric)}`;
  const offer = ruleOfferOf(rule, row);
  return offer === null ? `${basis} is below all tiers` : `${formatPercent((100 * offer) / metric)}% of ${basis}`;
}

/** The server's message if the card has no price, else a failure (docs/conformance.md, 8-19 and 8-20). */
export function pricingFailureMessage(error: unknown): string {
  const message = errorMessage(error);
  return error instanceof ApiError && error.status === 404 ? message : `Failed to fetch pricing: ${message}`;
}

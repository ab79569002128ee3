import { METRICS, type OfferRule, type PriceMetric } from "../api/prices.ts";
import { centsOf, dollarsOf } from "./money.ts";

export type PricedRow = {
  pricing: Record<"cardladderEstimate" | "averagePrice" | "medianPrice" | "lastSalePrice", number | null> | null;
  cardsiq: { estimatedValue: number | null } | null;
};

/** The default rule. Expensive cards sell sooner and have lower relative costs, so their percentage is higher. */
export const DEFAULT_OFFER_RULE = {
  metric: "medianPrice",
  tiers: [
    { from: 0, percent: 60 },
    { from: 100, percent: 70 },
    { from: 500, percent: 75 },
    { from: 2000, percent: 80 },
  ],
  roundTo: 1,
  rounding: "down",
} satisfies OfferRule;

/** One price metric of a row in dollars. Null if missing or 0. */
export function metricOf(metric: PriceMetric, row: PricedRow): number | null {
  if (metric === "lowest") {
    const amounts = METRICS.flatMap((one) => (one === "lowest" ? [] : (metricOf(one, row) ?? [])));
    return amounts.length === 0 ? null : Math.min(...amounts);
  }
  const amount = (metric === "cardsiqEstimate" ? row.cardsiq?.estimatedValue : row.pricing?.[metric]) ?? 0;
  return amount > 0 ? amount : null;
}

/** The offer in dollars: the row's own, else the rule's. Null without either. */
export function offerOf(rule: OfferRule | null, row: PricedRow & { ownOffer: number | null }): number | null {
  return row.ownOffer ?? (rule && ruleOfferOf(rule, row));
}

/** The rule's offer in dollars. Null without the metric or below all tiers. Of equal tiers, the lower one applies. */
export function ruleOfferOf(rule: OfferRule, row: PricedRow): number | null {
  const metric = metricOf(rule.metric, row);
  if (metric === null) return null;
  const reached = rule.tiers.filter(({ from }) => from <= metric);
  const tier = reached.toSorted((one, other) => other.from - one.from || one.percent - other.percent)[0];
  return tier ? dollarsOf(shareOf(centsOf(metric), tier.percent, centsOf(rule.roundTo), rule.rounding)) : null;
}

/** 100 percent in ten-thousandths of a percent. */
const WHOLE = 1_000_000;

/** Computes in two parts, because cents times ten-thousandths of a percent can exceed the safe integer range. */
function shareOf(cents: number, percent: number, step: number, rounding: OfferRule["rounding"]): number {
  const parts = Math.round(percent * (WHOLE / 100));
  const product = (cents % WHOLE) * parts;
  const share = Math.floor(cents / WHOLE) * parts + Math.floor(product / WHOLE);
  const over = share % step;
  const isUp = rounding === "nearest" && (2 * over - step) * WHOLE + 2 * (product % WHOLE) >= 0;
  return share - over + (isUp ? step : 0);
}

import type { CardsiqPricing, Pricing, SaleView } from "../api/prices.ts";
import { hasHappened, judgeSales, marketMetrics, momentOf, velocityOf } from "./market-metrics.ts";
import type { MarketMetrics } from "./market-metrics.ts";
import { dollarsOf, isPrice } from "./money.ts";
import type { Sale } from "./sale.ts";

/** What CardLadder says of a card, in cents. `month` is its own count and mean of the last month. */
export type CardladderFound = {
  estimateCents: number | null;
  lastSaleCents: number | null;
  lastSaleAt: string | null;
  confidence: number | null;
  month: { count: number; averageCents: number | null } | null;
  sales: readonly Sale[];
  /** The list may have been longer: it ends with as many as were asked for. */
  isCut: boolean;
};

/** What CardsIQ says of a card, in cents. */
export type CardsiqFound = {
  estimateCents: number | null;
  lastSaleCents: number | null;
  confidence: number | null;
  requiresReview: boolean;
};

/**
 * A price as it goes over the wire: the figures of the listed sales, over the 30 days that end at `fetchedAt`. Where the
 * source lists no sale of them, its own count and mean of the month stand in; then there is no sample, and null is said of
 * all that needs one. The source's count also stands in where its list was cut within the window. A last sale that the source names beside the list counts when it is newer than all listed ones.
 */
export function pricingOf(found: CardladderFound, fetchedAt: string): Pricing {
  const asOf = new Date(fetchedAt);
  const metrics = marketMetrics(found.sales, asOf);
  const last = lastSaleOf(found, metrics, asOf);
  return {
    cardladderEstimate: amountOf(found.estimateCents),
    medianPrice: amountOf(metrics.medianCents),
    ...countsOf(found, metrics),
    lastSalePrice: amountOf(last.cents),
    priceTrend: metrics.trend,
    priceRange: { low: amountOf(metrics.lowCents), high: amountOf(metrics.highCents) },
    newestSaleAt: last.soldAt,
    confidence: found.confidence,
    sparkline: metrics.sparklineCents.map(dollarsOf),
    fetchedAt,
  };
}

/** CardsIQ's price as it goes over the wire. */
export function cardsiqOf(found: CardsiqFound, fetchedAt: string): CardsiqPricing {
  return {
    estimatedValue: amountOf(found.estimateCents),
    lastSalePrice: amountOf(found.lastSaleCents),
    confidence: found.confidence,
    requiresReview: found.requiresReview,
    fetchedAt,
  };
}

/** The sales that count, newest first, each with what the rule says of it as of the moment they were fetched at. */
export function salesOf(sales: readonly Sale[], asOf: Date): SaleView[] {
  return judgeSales(sales, asOf)
    .map(({ sale, isInWindow, isOutlier }) => ({
      soldAt: sale.soldAt,
      price: dollarsOf(sale.cents),
      platform: sale.platform,
      isInWindow,
      isOutlier,
    }))
    .reverse();
}

function amountOf(cents: number | null): number | null {
  return isPrice(cents) ? dollarsOf(cents) : null;
}

type Counts = Pick<Pricing, "averagePrice" | "salesCount" | "salesVelocity" | "sampleSize">;

function countsOf({ month, isCut }: CardladderFound, metrics: MarketMetrics): Counts {
  if (metrics.salesCount === 0 && month !== null)
    return {
      averagePrice: month.count > 0 ? amountOf(month.averageCents) : null,
      salesCount: month.count,
      salesVelocity: { thirtyDay: velocityOf(month.count) },
      sampleSize: null,
    };
  // A list that was cut within the window knows less of how many there were than the source itself.
  if (isCut && month !== null && month.count > metrics.salesCount)
    return {
      averagePrice: amountOf(metrics.averageCents),
      salesCount: month.count,
      salesVelocity: { thirtyDay: velocityOf(month.count) },
      sampleSize: metrics.sampleSize,
    };
  // Without any sale and any count, nobody has said that there was none.
  const isCounted = metrics.lastSaleAt !== null;
  return {
    averagePrice: amountOf(metrics.averageCents),
    salesCount: isCounted ? metrics.salesCount : null,
    salesVelocity: { thirtyDay: isCounted ? metrics.velocity : null },
    sampleSize: isCounted ? metrics.sampleSize : null,
  };
}

function lastSaleOf(
  found: CardladderFound,
  metrics: MarketMetrics,
  asOf: Date,
): { cents: number | null; soldAt: string | null } {
  const listed = { cents: metrics.lastSaleCents, soldAt: metrics.lastSaleAt };
  if (!isPrice(found.lastSaleCents)) return listed;
  const at = found.lastSaleAt === null ? null : momentOf(found.lastSaleAt);
  if (at !== null && !hasHappened(at, asOf)) return listed;
  const named = { cents: found.lastSaleCents, soldAt: at === null ? null : found.lastSaleAt };
  const listedAt = listed.soldAt === null ? null : momentOf(listed.soldAt);
  if (listedAt === null) return named;
  return at !== null && at > listedAt ? named : listed;
}

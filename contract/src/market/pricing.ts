import type { CardsiqPricing, Pricing, MarkedSale } from "../api/prices.ts";
import { hasHappened, judgeSales, marketMetrics, momentOf, velocityOf, type MarketMetrics } from "./market-metrics.ts";
import { dollarsOf, isPrice, type Sale } from "./money.ts";

/** CardLadder's data for a card, in cents. `month` is CardLadder's own count and mean of the last month. */
export type CardladderFound = {
  estimateCents: number | null;
  lastSaleCents: number | null;
  lastSaleAt: string | null;
  confidence: number | null;
  month: { count: number; averageCents: number | null } | null;
  sales: readonly Sale[];
  /** The list may be incomplete because it has as many sales as were requested. */
  isCut: boolean;
};

export type CardsiqFound = Pick<CardladderFound, "estimateCents" | "lastSaleCents" | "confidence"> & {
  requiresReview: boolean;
};

/**
 * CardLadder's price in wire format: the price metrics of the listed sales over the 30 days before `fetchedAt`. Without
 * any, its own monthly count and mean are used, and metrics that need a sample are null. A last sale reported outside
 * the list counts if it is newer than all listed sales.
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

export function cardsiqOf(found: CardsiqFound, fetchedAt: string): CardsiqPricing {
  return {
    estimatedValue: amountOf(found.estimateCents),
    lastSalePrice: amountOf(found.lastSaleCents),
    confidence: found.confidence,
    requiresReview: found.requiresReview,
    fetchedAt,
  };
}

/** The valid sales, newest first, each judged as of the fetch time. */
export function salesOf(sales: readonly Sale[], asOf: Date): MarkedSale[] {
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

function countsOf({ month, isCut }: CardladderFound, metrics: MarketMetrics) {
  // Without any sale or count, the number of sales is unknown, not 0.
  const listed = metrics.lastSaleAt === null ? null : metrics.salesCount;
  const isUnlisted = metrics.salesCount === 0 && month !== null;
  // If the list was cut within the window, the source's own count is more accurate.
  const isLow = isCut && month !== null && month.count > metrics.salesCount;
  const salesCount = isUnlisted || isLow ? month.count : listed;
  const monthCents = month !== null && month.count > 0 ? month.averageCents : null;
  return {
    averagePrice: amountOf(isUnlisted ? monthCents : metrics.averageCents),
    salesCount,
    salesVelocity: { thirtyDay: salesCount === null ? null : velocityOf(salesCount) },
    sampleSize: isUnlisted || salesCount === null ? null : metrics.sampleSize,
  };
}

function lastSaleOf(found: CardladderFound, metrics: MarketMetrics, asOf: Date) {
  const listed = { cents: metrics.lastSaleCents, soldAt: metrics.lastSaleAt };
  if (!isPrice(found.lastSaleCents)) return listed;
  const at = found.lastSaleAt === null ? null : momentOf(found.lastSaleAt);
  if (at !== null && !hasHappened(at, asOf)) return listed;
  const named = { cents: found.lastSaleCents, soldAt: at === null ? null : found.lastSaleAt };
  const listedAt = listed.soldAt === null ? null : momentOf(listed.soldAt);
  if (listedAt === null) return named;
  return at !== null && at > listedAt ? named : listed;
}

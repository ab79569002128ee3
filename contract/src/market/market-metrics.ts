import type { PriceTrend } from "../api/prices.ts";
import { isPrice, type Sale } from "./money.ts";

/* Implements docs/market-metrics.md with integers: quartiles times four, medians times two, so nothing is rounded. */

const DAY_MS = 24 * 60 * 60 * 1000;
export const WINDOW_DAYS = 30;
const HALF_MS = (WINDOW_DAYS / 2) * DAY_MS;
/** Sales dated up to this far ahead count as today's, because of time zones. */
const AHEAD_MS = DAY_MS;
/** With fewer sales, quartiles are meaningless. */
const OUTLIERS_FROM = 4;
const HALF_NEEDS = 2;
export const SPARKLINE_SALES = 24;

export type MarketMetrics = ReturnType<typeof marketMetrics>;

/** A valid sale with its time in milliseconds. Only sales in the window can be outliers. */
export type JudgedSale = { sale: Sale; at: number; isInWindow: boolean; isOutlier: boolean };

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Parses an ISO 8601 date to milliseconds, or returns null (February 30). Without a time zone, it is UTC. */
export function momentOf(soldAt: string): number | null {
  const [, day = "", time = "00:00", zone = "Z"] = ISO.exec(soldAt.trim()) ?? [];
  const midnight = Date.parse(day);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  const at = Date.parse(`${day}T${time}${zone.toUpperCase().replace(/(\d\d)(\d\d)$/, "$1:$2")}`);
  return Number.isNaN(at) ? null : at;
}

/** True unless the sale is dated more than a day ahead. */
export function hasHappened(at: number, asOf: Date): boolean {
  return at <= asOf.getTime() + AHEAD_MS;
}

/**
 * The valid sales, oldest first. Skips invalid prices, unreadable dates and sales more than a day after `asOf`. Of
 * sales at the same time, the lowest price sorts last and is the last sale. The input order doesn't matter.
 */
export function judgeSales(sales: readonly Sale[], asOf: Date): JudgedSale[] {
  const from = asOf.getTime() - 2 * HALF_MS;
  const judged = sales
    .flatMap((sale) => {
      const at = isPrice(sale.cents) ? momentOf(sale.soldAt) : null;
      if (at === null || !hasHappened(at, asOf)) return [];
      return [{ sale, at, isInWindow: at >= from, isOutlier: false }];
    })
    .sort(inOrder);
  const isOutlier = outlierTest(sortedCents(judged.filter((one) => one.isInWindow)));
  return judged.map((one) => ({ ...one, isOutlier: one.isInWindow && isOutlier(one.sale.cents) }));
}

/** The price metrics of one card. Amounts are in cents, null if no sale supplies them. */
export function marketMetrics(sales: readonly Sale[], asOf: Date) {
  const judged = judgeSales(sales, asOf);
  const sample = judged.filter((one) => one.isInWindow && !one.isOutlier);
  const cents = sortedCents(sample);
  const twice = twiceMedian(cents);
  const salesCount = judged.filter((one) => one.isInWindow).length;
  const last = judged.at(-1)?.sale;
  return {
    /** Average of the sample, rounded half up to a cent. */
    averageCents: averageOf(cents),
    medianCents: twice === null ? null : Math.floor((twice + 1) / 2),
    lowCents: cents[0] ?? null,
    highCents: cents.at(-1) ?? null,
    /** The newest sale of any age, including outliers. `lastSaleAt` is as the source wrote it. */
    lastSaleCents: last?.cents ?? null,
    lastSaleAt: last?.soldAt ?? null,
    /** All sales in the window, including outliers. */
    salesCount,
    /** Sales in the window without outliers: the sample for average, median, low, high, trend and sparkline. */
    sampleSize: sample.length,
    velocity: velocityOf(salesCount),
    trend: trendOf(sample, asOf.getTime() - HALF_MS),
    /** The newest sales of the sample, oldest first. */
    sparklineCents: sample.slice(-SPARKLINE_SALES).map(({ sale }) => sale.cents),
  };
}

/** Sales per day, rounded to two decimals. */
export function velocityOf(salesCount: number): number {
  return Math.round((salesCount * 100) / WINDOW_DAYS) / 100;
}

/** Compares dates and platforms last, so that equal sales written differently have a stable order. */
function inOrder(one: JudgedSale, other: JudgedSale): number {
  return (
    one.at - other.at ||
    other.sale.cents - one.sale.cents ||
    compareText(one.sale.soldAt, other.sale.soldAt) ||
    compareText(one.sale.platform ?? "", other.sale.platform ?? "")
  );
}

function compareText(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

function sortedCents(sales: readonly JudgedSale[]): number[] {
  return sales.map(({ sale }) => sale.cents).sort((one, other) => one - other);
}

/** An outlier is more than 1.5 times the interquartile range outside the quartiles. The limit itself isn't. */
function outlierTest(sorted: readonly number[]): (cents: number) => boolean {
  if (sorted.length < OUTLIERS_FROM) return () => false;
  const first = fourTimesQuartile(sorted, 1);
  const third = fourTimesQuartile(sorted, 3);
  const low = 2 * first - 3 * (third - first);
  const high = 2 * third + 3 * (third - first);
  return (cents) => 8 * cents < low || 8 * cents > high;
}

/** Four times the quartile, an integer. Interpolates linearly between two prices, like Excel's QUARTILE.INC. */
function fourTimesQuartile(sorted: readonly number[], quartile: 1 | 3): number {
  const steps = (sorted.length - 1) * quartile;
  const at = Math.floor(steps / 4);
  const below = sorted[at] ?? 0;
  return 4 * below + (steps % 4) * ((sorted[at + 1] ?? below) - below);
}

function twiceMedian(sorted: readonly number[]): number | null {
  const above = sorted[Math.floor(sorted.length / 2)];
  const below = sorted[Math.floor((sorted.length - 1) / 2)];
  return above === undefined || below === undefined ? null : above + below;
}

function averageOf(cents: readonly number[]): number | null {
  if (cents.length === 0) return null;
  const sum = cents.reduce((total, one) => total + one, 0);
  return Math.floor((2 * sum + cents.length) / (2 * cents.length));
}

/** Compares the medians of the newer and the older 15 days: up or down by more than 5 %, else "other" (flat). */
function trendOf(sample: readonly JudgedSale[], middle: number): PriceTrend | null {
  const older = sample.filter(({ at }) => at < middle);
  const newer = sample.filter(({ at }) => at >= middle);
  if (older.length < HALF_NEEDS || newer.length < HALF_NEEDS) return null;
  const before = twiceMedian(sortedCents(older)) ?? 0;
  const after = twiceMedian(sortedCents(newer)) ?? 0;
  if (100 * after > 105 * before) return "increasing";
  return 100 * after < 95 * before ? "decreasing" : "other";
}

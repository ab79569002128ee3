import type { PriceTrend } from "../api/prices.ts";
import { isPrice } from "./money.ts";
import type { Sale } from "./sale.ts";

/*
 * The rule of docs/market-metrics.md. Cents are integers and every comparison is one of integers: quartiles are kept
 * times four, medians times two, so that nothing depends on how a fraction is rounded.
 */

const DAY_MS = 24 * 60 * 60 * 1000;
export const WINDOW_DAYS = 30;
const HALF_MS = (WINDOW_DAYS / 2) * DAY_MS;
/** A sale dated later than now by up to this was today, in another time zone. */
const AHEAD_MS = DAY_MS;
/** Below it, quartiles say nothing. */
const OUTLIERS_FROM = 4;
const HALF_NEEDS = 2;
/** Sales that a sparkline shows. */
export const SPARKLINE_SALES = 24;

/** The figures of one card's sales: money in cents, null where no sale gives one. */
export type MarketMetrics = {
  /** Of the sample, rounded half up to a cent. */
  averageCents: number | null;
  medianCents: number | null;
  lowCents: number | null;
  highCents: number | null;
  /** The newest sale at all, of any age, outlier or not. `lastSaleAt` is as the source wrote it. */
  lastSaleCents: number | null;
  lastSaleAt: string | null;
  /** All sales of the window, outliers too. */
  salesCount: number;
  /** Sales of the window without outliers: those that average, median, low, high, trend and sparkline are of. */
  sampleSize: number;
  /** Sales a day: `salesCount` by 30, rounded to two decimals. */
  velocity: number;
  trend: PriceTrend | null;
  /** The newest sales of the sample, up to 24, oldest first. */
  sparklineCents: number[];
};

/** A sale that counts, with its moment in milliseconds and what the rule says of it. Outliers are of the window. */
export type JudgedSale = { sale: Sale; at: number; isInWindow: boolean; isOutlier: boolean };

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * The moment of an ISO 8601 date in milliseconds, or null. A date without a time zone is UTC, so that browser and server
 * agree wherever they are; a day that no month has (February 30) is no date.
 */
export function momentOf(soldAt: string): number | null {
  const [, day = "", time = "00:00", zone = "Z"] = ISO.exec(soldAt.trim()) ?? [];
  const midnight = Date.parse(day);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  const at = Date.parse(`${day}T${time}${zone.toUpperCase().replace(/(\d\d)(\d\d)$/, "$1:$2")}`);
  return Number.isNaN(at) ? null : at;
}

/** Whether a sale at this moment has happened: one dated more than a day ahead has not. */
export function hasHappened(at: number, asOf: Date): boolean {
  return at <= asOf.getTime() + AHEAD_MS;
}

/**
 * The sales that count, oldest first. Left out: prices that are none, dates that cannot be read, and those more than a
 * day after `asOf`. Of sales at the same moment the lower one comes later: it is the last sale. The order in which the
 * sales are given never matters.
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

/** The figures of a card's sales as they were at a moment, over the 30 days that end there. */
export function marketMetrics(sales: readonly Sale[], asOf: Date): MarketMetrics {
  const judged = judgeSales(sales, asOf);
  const sample = judged.filter((one) => one.isInWindow && !one.isOutlier);
  const cents = sortedCents(sample);
  const twice = twiceMedian(cents);
  const salesCount = judged.filter((one) => one.isInWindow).length;
  const last = judged.at(-1)?.sale;
  return {
    averageCents: averageOf(cents),
    medianCents: twice === null ? null : Math.floor((twice + 1) / 2),
    lowCents: cents[0] ?? null,
    highCents: cents.at(-1) ?? null,
    lastSaleCents: last?.cents ?? null,
    lastSaleAt: last?.soldAt ?? null,
    salesCount,
    sampleSize: sample.length,
    velocity: velocityOf(salesCount),
    trend: trendOf(sample, asOf.getTime() - HALF_MS),
    sparklineCents: sample.slice(-SPARKLINE_SALES).map(({ sale }) => sale.cents),
  };
}

/** Sales a day, of a count over 30 days, rounded to two decimals. */
export function velocityOf(salesCount: number): number {
  return Math.round((salesCount * 100) / WINDOW_DAYS) / 100;
}

/** Dates and places come last only so that equal sales written differently have an order, too. */
function inOrder(one: JudgedSale, other: JudgedSale): number {
  return (
    one.at - other.at ||
    other.sale.cents - one.sale.cents ||
    compareText(one.sale.soldAt, other.sale.soldAt) ||
    compareText(one.sale.platform ?? "", other.sale.platform ?? "")
  );
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function sortedCents(sales: readonly JudgedSale[]): number[] {
  return sales.map(({ sale }) => sale.cents).sort((one, other) => one - other);
}

/** Beyond 1.5 times the distance of the quartiles from either of them; a price on the fence stays. */
function outlierTest(sorted: readonly number[]): (cents: number) => boolean {
  if (sorted.length < OUTLIERS_FROM) return () => false;
  const first = fourTimesQuartile(sorted, 1);
  const third = fourTimesQuartile(sorted, 3);
  const low = 2 * first - 3 * (third - first);
  const high = 2 * third + 3 * (third - first);
  return (cents) => 8 * cents < low || 8 * cents > high;
}

/** By linear interpolation between the two nearest prices, as Excel's QUARTILE.INC, times four to stay an integer. */
function fourTimesQuartile(sorted: readonly number[], quartile: 1 | 3): number {
  const steps = (sorted.length - 1) * quartile;
  const at = Math.floor(steps / 4);
  const below = sorted[at] ?? 0;
  const above = sorted[at + 1] ?? below;
  return 4 * below + (steps % 4) * (above - below);
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

/** The median of the newer 15 days against that of the older: more than 5 % above or below, else "other", which is flat. */
function trendOf(sample: readonly JudgedSale[], middle: number): PriceTrend | null {
  const older = sample.filter(({ at }) => at < middle);
  const newer = sample.filter(({ at }) => at >= middle);
  if (older.length < HALF_NEEDS || newer.length < HALF_NEEDS) return null;
  const before = twiceMedian(sortedCents(older)) ?? 0;
  const after = twiceMedian(sortedCents(newer)) ?? 0;
  if (100 * after > 105 * before) return "increasing";
  return 100 * after < 95 * before ? "decreasing" : "other";
}

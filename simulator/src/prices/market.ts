import recordedEstimate from "../recorded/cardladder-estimate.json" with { type: "json" };
import { findMagic } from "../endpoints/magic.ts";
import { seeded, type Seeded } from "../made-up/seeded.ts";
import { makeUpAges, makeUpSales, windowOf, type MarketSale, type SalesPlan } from "./sales.ts";
import { findSlab, type Slab } from "./slab.ts";

/** A slab's price data, shared by both sources, because the real sources may share data too. Amounts are dollars. */
export type Market = {
  slab: Slab;
  /** CardLadder's estimate. */
  estimate: number | null;
  /** CardsIQ's estimate. */
  otherEstimate: number | null;
  /** Newest first. */
  sales: MarketSale[];
  /** 1 to 5. */
  confidence: number;
  /** The higher estimate is 38 % above the lower. */
  isApart: boolean;
};

/** The only card with a recorded estimate. */
export const RECORDED_ESTIMATE_CERT = "154284805";

const NO_PRICES_SHARE = 0.02;
const APART_SHARE = 0.06;
const APART = 1.38;
const NEAR = 0.08;

/**
 * The price data of a card, with amounts multiplied by `factor`. Null if the card is unknown, has no grade or has no
 * sales.
 */
export function findMarket(grader: string, certNumber: string, factor = 1): Market | null {
  const market = findCalmMarket(grader, certNumber);
  return factor === 1 ? market : market && multiplied(market, factor);
}

function multiplied(market: Market, factor: number): Market {
  const times = (amount: number): number => Math.round(Math.round(amount * 100) * factor) / 100;
  return {
    ...market,
    estimate: market.estimate && times(market.estimate),
    otherEstimate: market.otherEstimate && times(market.otherEstimate),
    sales: market.sales.map((sale) => ({ ...sale, price: times(sale.price) })),
  };
}

function findCalmMarket(grader: string, certNumber: string): Market | null {
  const slab = findSlab(grader, certNumber);
  if (!slab || slab.grade === null) return null;
  const variant = findMagic(slab.certNumber)?.variant ?? null;
  const random = seeded(`prices ${slab.company} ${slab.certNumber}`);
  const isUnsold = random.chance(NO_PRICES_SHARE) && findMagic(slab.certNumber) === null;
  const isRecorded = slab.company === "PSA" && slab.certNumber === RECORDED_ESTIMATE_CERT;
  if (variant === "no_prices" || (isUnsold && !isRecorded)) return null;
  const isApart = !isRecorded && (random.chance(APART_SHARE) || variant === "apart");
  const made = isRecorded ? recordedEstimate.estimatedValue : makeUpEstimate(slab.grade, random);
  const [estimate, otherEstimate] = isApart ? apart(made, random) : [made, roundAmount(made * around(NEAR, random))];
  const sales = isRecorded ? salesOfRecord(random) : makeUpSales(makeUpPlan(estimate, random), random);
  return {
    slab,
    estimate: variant === "no_estimate" ? null : estimate,
    otherEstimate: variant === "no_estimate" ? null : otherEstimate,
    sales: variant === "no_sales" ? [] : sales,
    confidence: isRecorded ? recordedEstimate.confidence : confidenceOf(sales),
    isApart,
  };
}

/** A few dollars to thousands, mostly below 100 dollars. Better grades cost more. */
function makeUpEstimate(grade: number, random: Seeded): number {
  const raw = Math.exp(Math.log(7) + random.next() ** 1.5 * Math.log(400));
  const factor = grade >= 10 ? 1.6 : grade >= 9 ? 0.9 : 0.5;
  return roundAmount(raw * factor);
}

/** Cents below 50 dollars, whole dollars above. */
function roundAmount(amount: number): number {
  return amount < 50 ? Math.round(amount * 100) / 100 : Math.round(amount);
}

function around(share: number, random: Seeded): number {
  return 1 + (random.next() * 2 - 1) * share;
}

/** Two estimates, the higher exactly 38 % above the lower. In two of three cases, the higher is CardsIQ's. */
function apart(estimate: number, random: Seeded): [estimate: number, otherEstimate: number] {
  const lower = Math.max(5, Math.round(estimate));
  const higher = Math.round(lower * APART * 100) / 100;
  return random.chance(2 / 3) ? [lower, higher] : [higher, lower];
}

function makeUpPlan(estimate: number, random: Seeded): SalesPlan {
  const count = makeUpCount(random);
  const course = random.next();
  const isMoving = course < 0.55;
  const strength = 0.2 + random.next() * 0.2;
  return {
    ages: makeUpAges(count, random),
    level: estimate * around(0.04, random),
    rise: isMoving ? (course < 0.3 ? strength : -strength) : 0,
    noise: isMoving ? 0.06 : 0.035,
    outliers: count < 6 ? 0 : 0.07,
  };
}

/** The number of sales in four months: few, some or many. */
function makeUpCount(random: Seeded): number {
  const roll = random.next();
  if (roll < 0.2) return random.int(1, 4);
  return roll < 0.55 ? random.int(6, 16) : random.int(25, 70);
}

/**
 * Matches the recorded counts of two weeks, a month and a quarter, and about matches the recorded averages. The last
 * sale is as recorded.
 */
function salesOfRecord(random: Seeded): MarketSale[] {
  const spread = (count: number, from: number, to: number): number[] =>
    Array.from({ length: count }, () => random.int(from, to));
  const { twoWeekData, oneMonthData, oneQuarterData, lastSalePrice } = recordedEstimate;
  const ages = [
    ...spread(twoWeekData.velocity, 0, 12),
    ...spread(oneMonthData.velocity - twoWeekData.velocity, 15, 28),
    ...spread(oneQuarterData.velocity - oneMonthData.velocity, 30, 88),
  ];
  const [newest, ...older] = makeUpSales({ ages, level: 16_900, rise: 0.06, noise: 0.03, outliers: 0 }, random);
  return newest ? [{ ...newest, price: lastSalePrice }, ...older] : older;
}

function confidenceOf(sales: readonly MarketSale[]): number {
  const { velocity } = windowOf(sales, 91);
  return [20, 10, 5, 2].filter((enough) => velocity >= enough).length + 1;
}

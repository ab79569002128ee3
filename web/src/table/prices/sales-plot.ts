import type { SaleView } from "@slabdesk/contract/api/prices.ts";
import { momentOf, WINDOW_DAYS } from "@slabdesk/contract/market/market-metrics.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const PLOT_DAYS = 120;
/** Where the plot itself lies in its box: labels of prices at the left, of days below. In CSS pixels. */
export const PLOT_INSET = { left: 52, right: 10, top: 12, bottom: 22 } as const;
/** A price further from the median than this many distances of the quartiles is drawn at the edge: it would flatten the rest. */
const REACH = 3;
/** But never one that is within this part of the median. */
const LEAST_REACH = 0.25;
const PRICE_TICKS = 4;

/** A sale as a dot; `isBeyond`: it lies outside of the prices shown, at the edge. */
export type SaleDot = { key: string; sale: SaleView; at: number; x: number; y: number; isBeyond: boolean };

/** Everything a plot draws, in CSS pixels from its upper left corner. */
export type SalesPlotLayout = {
  /** Oldest first. */
  dots: SaleDot[];
  /** The 30 days that the figures are of. */
  window: { x: number; width: number };
  medianY: number | null;
  priceTicks: { dollars: number; y: number }[];
  dayTicks: { at: number; x: number }[];
};

type PlotBox = { width: number; height: number };

/** Lays out the sales of the 120 days before `asOf` (milliseconds); null when there are none of them. */
export function layOutSales(
  sales: readonly SaleView[],
  medianPrice: number | null,
  asOf: number,
  { width, height }: PlotBox,
): SalesPlotLayout | null {
  const from = asOf - PLOT_DAYS * DAY_MS;
  const dated = keyedSales(sales).flatMap(({ key, sale }) => {
    const at = momentOf(sale.soldAt);
    return at === null || at < from ? [] : [{ key, sale, at: Math.min(at, asOf) }];
  });
  if (dated.length === 0) return null;
  const prices = priceRange(dated.map(({ sale }) => sale));
  const x = scale(from, asOf, PLOT_INSET.left, width - PLOT_INSET.right);
  const y = scale(prices.low, prices.high, height - PLOT_INSET.bottom, PLOT_INSET.top);
  const within = (dollars: number): number => Math.min(prices.high, Math.max(prices.low, dollars));
  const windowX = x(asOf - WINDOW_DAYS * DAY_MS);
  return {
    dots: dated
      .map(({ key, sale, at }) => ({
        key,
        sale,
        at,
        x: x(at),
        y: y(within(sale.price)),
        isBeyond: within(sale.price) !== sale.price,
      }))
      .sort((one, other) => one.at - other.at),
    window: { x: windowX, width: x(asOf) - windowX },
    medianY: medianPrice === null ? null : y(within(medianPrice)),
    priceTicks: niceTicks(prices.low, prices.high).map((dollars) => ({ dollars, y: y(dollars) })),
    dayTicks: [90, 60, 30, 0].map((days) => ({ at: asOf - days * DAY_MS, x: x(asOf - days * DAY_MS) })),
  };
}

/** Sales with something to tell them apart by: two may be of the same day, price and platform. */
export function keyedSales(sales: readonly SaleView[]): { key: string; sale: SaleView }[] {
  const seen = new Map<string, number>();
  return sales.map((sale) => {
    const message = `${sale.soldAt} ${sale.price} ${sale.platform ?? ""}`;
    const before = seen.get(message) ?? 0;
    seen.set(message, before + 1);
    return { key: `${message} ${before}`, sale };
  });
}

/** The dot next to a place in the plot; a dot is nearer by its day than by its price. */
export function nearestDot(dots: readonly SaleDot[], x: number, y: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, dot] of dots.entries()) {
    const distance = (dot.x - x) ** 2 + ((dot.y - y) / 2) ** 2;
    if (distance >= least) continue;
    least = distance;
    nearest = index;
  }
  return nearest;
}

/**
 * The prices to show: all but those far from the others, by the distance of the quartiles. Outliers of the window have no
 * say in what is far.
 */
function priceRange(sales: readonly SaleView[]): { low: number; high: number } {
  const counted = sales.filter((sale) => !sale.isOutlier);
  const sorted = (counted.length === 0 ? sales : counted).map(({ price }) => price).sort((one, other) => one - other);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? 0;
  const reach = Math.max(REACH * (at(0.75) - at(0.25)), LEAST_REACH * at(0.5));
  const shown = sales.map(({ price }) => price).filter((price) => Math.abs(price - at(0.5)) <= reach);
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const room = Math.max(0.08 * (high - low), 0.02 * high);
  return { low: Math.max(0, low - room), high: high + room };
}

function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = to - from;
  return (value) =>
    Math.round((span === 0 ? (start + end) / 2 : start + ((value - from) / span) * (end - start)) * 10) / 10;
}

/** Round amounts between the two, about four: steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(low: number, high: number): number[] {
  const rough = (high - low) / PRICE_TICKS;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let index = Math.ceil(low / step); index * step <= high; index += 1)
    ticks.push(Number((index * step).toFixed(4)));
  return ticks;
}

import type { MarkedSale } from "@slabdesk/contract/api/prices.ts";
import { momentOf, WINDOW_DAYS } from "@slabdesk/contract/market/market-metrics.ts";
import { keyed } from "../../ui/keyed.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const PLOT_DAYS = 120;
/** In CSS pixels. */
export const PLOT_HEIGHT = 188;
/** The plot area's margins, with price labels on the left and dates below. In CSS pixels. */
export const PLOT_INSET = { left: 52, right: 10, top: 12, bottom: 22 } as const;
/** Prices more interquartile ranges from the median than this are drawn at the edge, to not flatten the rest. */
const REACH = 3;
/** Prices within this share of the median are never drawn at the edge. */
const LEAST_REACH = 0.25;
const PRICE_TICKS = 4;

export type SalesPlotLayout = NonNullable<ReturnType<typeof layOutSales>>;
export type SaleDot = SalesPlotLayout["dots"][number];

/**
 * Lays out the sales of the 120 days before `asOf` (milliseconds), in CSS pixels from the top left corner; null if
 * there are none. The dots are oldest first; `isBeyond`: the price is outside the visible range, so it is drawn at the
 * edge. `window` is the 30 days that the metrics cover.
 */
export function layOutSales(sales: readonly MarkedSale[], medianPrice: number | null, asOf: number, width: number) {
  const from = asOf - PLOT_DAYS * DAY_MS;
  const dated = keyedSales(sales).flatMap(({ key, item: sale }) => {
    const at = momentOf(sale.soldAt);
    return at === null || at < from ? [] : [{ key, sale, at: Math.min(at, asOf) }];
  });
  if (dated.length === 0) return null;
  const prices = priceRange(dated.map(({ sale }) => sale));
  const x = scale(from, asOf, PLOT_INSET.left, width - PLOT_INSET.right);
  const y = scale(prices.low, prices.high, PLOT_HEIGHT - PLOT_INSET.bottom, PLOT_INSET.top);
  const within = (dollars: number): number => Math.min(prices.high, Math.max(prices.low, dollars));
  const windowX = x(asOf - WINDOW_DAYS * DAY_MS);
  return {
    dots: dated
      .map(({ key, sale, at }) => {
        const shown = within(sale.price);
        return { key, sale, at, x: x(at), y: y(shown), isBeyond: shown !== sale.price };
      })
      .sort((one, other) => one.at - other.at),
    window: { x: windowX, width: x(asOf) - windowX },
    medianY: medianPrice === null ? null : y(within(medianPrice)),
    priceTicks: niceTicks(prices.low, prices.high).map((dollars) => ({ dollars, y: y(dollars) })),
    dayTicks: [90, 60, 30, 0].map((days) => ({ at: asOf - days * DAY_MS, x: x(asOf - days * DAY_MS) })),
  };
}

/** The sales with unique keys; two sales may have the same date, price and platform. */
export const keyedSales = (sales: readonly MarkedSale[]) =>
  keyed(sales, ({ soldAt, price, platform }) => `${soldAt} ${price} ${platform ?? ""}`);

/** The index of the dot nearest to a point. The vertical distance counts half. */
export function nearestDot(dots: readonly SaleDot[], x: number, y: number): number {
  const distances = dots.map((dot) => (dot.x - x) ** 2 + ((dot.y - y) / 2) ** 2);
  return distances.indexOf(Math.min(...distances));
}

/** The visible price range. Prices far from the median are left out; outliers don't affect median and quartiles. */
function priceRange(sales: readonly MarkedSale[]): { low: number; high: number } {
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

/** About four round amounts between `low` and `high`, in steps of 1, 2 or 5 times a power of ten. */
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

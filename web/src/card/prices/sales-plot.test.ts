import type { MarkedSale } from "@slabdesk/contract/api/prices.ts";
import { expect, test } from "vitest";
import { keyedSales, layOutSales, nearestDot, niceTicks, PLOT_INSET } from "./sales-plot.ts";

const AS_OF = Date.parse("2026-11-21T12:00:00Z");
const WIDTH = 400;
const sale = (soldAt: string, price: number, fields: Partial<MarkedSale> = {}): MarkedSale => ({
  soldAt,
  price,
  platform: "eBay",
  isInWindow: soldAt >= "2026-10-22",
  isOutlier: false,
  ...fields,
});
const month = [
  sale("2026-11-19", 105),
  sale("2026-11-12", 98),
  sale("2026-11-01", 100),
  sale("2026-10-25", 95),
  sale("2026-09-02", 92),
];

test("the newest sale is at the right edge, the others by day, oldest first", () => {
  const layout = layOutSales([sale("2026-11-21T12:00:00Z", 100), ...month], 99, AS_OF, WIDTH);
  expect(layout?.dots.map(({ sale }) => sale.soldAt)).toEqual([
    "2026-09-02",
    "2026-10-25",
    "2026-11-01",
    "2026-11-12",
    "2026-11-19",
    "2026-11-21T12:00:00Z",
  ]);
  expect(layout?.dots.at(-1)?.x).toBe(WIDTH - PLOT_INSET.right);
  expect(layout?.dayTicks.at(-1)?.x).toBe(WIDTH - PLOT_INSET.right);
});

test("the window is the last quarter of the plot, and the median is between its neighboring prices", () => {
  const layout = layOutSales(month, 99, AS_OF, WIDTH);
  expect(layout?.window.width).toBeCloseTo((WIDTH - PLOT_INSET.left - PLOT_INSET.right) / 4, 0);
  const yOf = (price: number): number => layout?.dots.find((dot) => dot.sale.price === price)?.y ?? Number.NaN;
  expect(layout?.medianY).toBeGreaterThan(yOf(100));
  expect(layout?.medianY).toBeLessThan(yOf(98));
});

test("a price far from the others is drawn at the edge and does not flatten them", () => {
  const layout = layOutSales([sale("2026-11-10", 5_000, { isOutlier: true }), ...month], 99, AS_OF, WIDTH);
  const [beyond, ...others] = layout?.dots.filter((dot) => dot.isBeyond) ?? [];
  expect(others).toEqual([]);
  expect(beyond).toMatchObject({ y: PLOT_INSET.top, sale: { price: 5_000 } });
  const heights = layout?.dots.filter((dot) => !dot.isBeyond).map(({ y }) => y) ?? [];
  expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(100);
});

test("an outlier near the others keeps its place", () => {
  const layout = layOutSales([sale("2026-11-10", 118, { isOutlier: true }), ...month], 99, AS_OF, WIDTH);
  expect(layout?.dots.every((dot) => !dot.isBeyond)).toBe(true);
});

test.each([
  ["no sales", []],
  ["only old ones", [sale("2026-07-01", 80)]],
  ["dates that cannot be read", [sale("yesterday", 80)]],
])("nothing is drawn for %s", (_name, sales) => {
  expect(layOutSales(sales, null, AS_OF, WIDTH)).toBeNull();
});

test("a single sale has finite coordinates", () => {
  const layout = layOutSales([sale("2026-11-10", 80)], 80, AS_OF, WIDTH);
  expect([layout?.dots[0]?.x, layout?.dots[0]?.y, layout?.medianY].every(Number.isFinite)).toBe(true);
});

test("the nearest dot to the pointer is selected", () => {
  const layout = layOutSales(month, null, AS_OF, WIDTH);
  for (const [index, dot] of (layout?.dots ?? []).entries())
    expect(nearestDot(layout?.dots ?? [], dot.x + 2, dot.y - 3)).toBe(index);
});

test("equal sales have different keys", () => {
  const keys = keyedSales([...month, ...month, ...month]).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  [0, 100, [0, 50, 100]],
  [41, 63, [50, 60]],
  [9_800, 12_400, [10_000, 11_000, 12_000]],
  [5, 5, [5]],
])("between %d and %d the lines are at %j", (low, high, ticks) => {
  expect(niceTicks(low, high)).toEqual(ticks);
});

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { judgeSales, marketMetrics, momentOf, SPARKLINE_SALES, velocityOf } from "./market-metrics.ts";
import type { MarketMetrics } from "./market-metrics.ts";
import type { Sale } from "./money.ts";

const AS_OF = new Date("2026-11-21T12:00:00.000Z");
const HOUR_MS = 60 * 60 * 1000;

const ago = (hours: number): string => new Date(AS_OF.getTime() - hours * HOUR_MS).toISOString();
const sale = (days: number, cents: number): Sale => ({ soldAt: ago(24 * days), cents, platform: null });
/** One sale per day, today's first. */
const daily = (...cents: number[]): Sale[] => cents.map((one, day) => sale(day, one));

const NONE: MarketMetrics = {
  averageCents: null,
  medianCents: null,
  lowCents: null,
  highCents: null,
  lastSaleCents: null,
  lastSaleAt: null,
  salesCount: 0,
  sampleSize: 0,
  velocity: 0,
  trend: null,
  sparklineCents: [],
};

describe("marketMetrics", () => {
  it.each<[string, Sale[], Partial<MarketMetrics>]>([
    ["no sale", [], NONE],
    [
      "one",
      daily(1000),
      {
        averageCents: 1000,
        medianCents: 1000,
        lowCents: 1000,
        highCents: 1000,
        lastSaleCents: 1000,
        lastSaleAt: "2026-11-21T12:00:00.000Z",
        salesCount: 1,
        sampleSize: 1,
        velocity: 0.03,
        trend: null,
        sparklineCents: [1000],
      },
    ],
    ["an even count: half a cent is rounded up", daily(1000, 1001), { averageCents: 1001, medianCents: 1001 }],
    ["a third of a cent is rounded down", daily(1000, 1000, 1001), { averageCents: 1000, medianCents: 1000 }],
    ["two thirds are rounded up", daily(1000, 1001, 1001), { averageCents: 1001, medianCents: 1001 }],
    ["three: none is an outlier", daily(100, 100, 9999), { sampleSize: 3, highCents: 9999, salesCount: 3 }],
    ["four: one may be", daily(99_999, 1000, 1000, 1010), { sampleSize: 3, highCents: 1010, salesCount: 4 }],
    [
      "an outlier counts as a sale and as the last one, and nowhere else",
      daily(99_999, 1000, 1010, 1020, 1030),
      {
        salesCount: 5,
        sampleSize: 4,
        highCents: 1030,
        averageCents: 1015,
        medianCents: 1015,
        lastSaleCents: 99_999,
        sparklineCents: [1030, 1020, 1010, 1000],
      },
    ],
    ["a price on the fence stays", daily(100, 200, 300, 400, 700), { sampleSize: 5, highCents: 700 }],
    ["a cent beyond it is dropped", daily(100, 200, 300, 400, 701), { sampleSize: 4, highCents: 400 }],
    ["the lower fence as well", daily(401, 701, 801, 901, 1001), { sampleSize: 5, lowCents: 401 }],
    ["and a cent below it", daily(400, 701, 801, 901, 1001), { sampleSize: 4, lowCents: 701 }],
    ["quarters of a cent count: the fence is 1004.25", daily(1004, 1002, 1002, 1002, 1000, 1000), { sampleSize: 6 }],
    ["exactly 30 days ago is within", [sale(30, 500)], { salesCount: 1, sampleSize: 1 }],
    [
      "a millisecond more is not, but it is the last sale",
      [{ soldAt: "2026-10-22T11:59:59.999Z", cents: 500, platform: null }],
      { ...NONE, lastSaleCents: 500, lastSaleAt: "2026-10-22T11:59:59.999Z" },
    ],
    ["up to a day ahead is today", [sale(-1, 500)], { salesCount: 1, lastSaleCents: 500 }],
    ["later is ignored", [{ soldAt: "2026-11-22T12:00:00.001Z", cents: 500, platform: null }], NONE],
    ["no price", [sale(1, 0), sale(1, -5), sale(1, 1.5), sale(1, Number.NaN), sale(1, 2 ** 53)], NONE],
    ["more than ten thousand million dollars", [sale(1, 1e12), sale(2, 1e12 + 1)], { salesCount: 1, highCents: 1e12 }],
    ["no date", [{ soldAt: "yesterday", cents: 500, platform: null }], NONE],
    ["of two at the same moment the lower is the last", [sale(1, 700), sale(1, 500)], { lastSaleCents: 500 }],
  ])("%s", (_, sales, expected) => {
    expect(marketMetrics(sales, AS_OF)).toMatchObject(expected);
  });

  it.each<[string, Sale[], MarketMetrics["trend"]]>([
    ["one sale in the older half", [sale(20, 100), sale(2, 200), sale(1, 200)], null],
    ["one sale in the newer half", [sale(20, 100), sale(21, 100), sale(1, 200)], null],
    ["exactly 5 % more is flat", [sale(20, 1000), sale(21, 1000), sale(1, 1050), sale(2, 1050)], "other"],
    ["a cent more is not", [sale(20, 1000), sale(21, 1000), sale(1, 1050), sale(2, 1052)], "increasing"],
    ["exactly 5 % less is flat", [sale(20, 1000), sale(21, 1000), sale(1, 950), sale(2, 950)], "other"],
    ["a cent less is not", [sale(20, 1000), sale(21, 1000), sale(1, 949), sale(2, 950)], "decreasing"],
    [
      "exactly 15 days ago is of the newer half",
      [sale(20, 100), sale(21, 100), sale(15, 200), sale(1, 200)],
      "increasing",
    ],
    ["and of no other", [sale(20, 100), sale(15, 200), sale(1, 200)], null],
    [
      "a millisecond more is of the older",
      [sale(20, 100), sale(21, 100), { soldAt: "2026-11-06T11:59:59.999Z", cents: 200, platform: null }, sale(1, 200)],
      null,
    ],
    [
      "outliers have no say",
      [
        ...[16, 17, 18, 19, 20, 21, 22].map((day) => sale(day, 1000)),
        ...[1, 2].map((day) => sale(day, 9000)),
        sale(3, 1000),
      ],
      null,
    ],
  ])("trend: %s", (_, sales, trend) => {
    expect(marketMetrics(sales, AS_OF).trend).toBe(trend);
  });

  it("returns the newest sales of the sample, oldest first", () => {
    const cents = Array.from({ length: SPARKLINE_SALES + 2 }, (_, day) => 1000 + day);
    const { sparklineCents } = marketMetrics(daily(...cents), AS_OF);
    expect(sparklineCents).toEqual(cents.slice(0, SPARKLINE_SALES).toReversed());
  });
});

it("velocityOf is a thirtieth of the count, to two decimals", () => {
  expect([0, 1, 2, 12, 30, 100].map(velocityOf)).toEqual([0, 0.03, 0.07, 0.4, 1, 3.33]);
});

it.each([
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20T23:15", "2026-11-20T23:15:00.000Z"],
  ["2026-11-20 23:15:01", "2026-11-20T23:15:01.000Z"],
  ["2026-11-20T23:15:01.5Z", "2026-11-20T23:15:01.500Z"],
  ["2026-11-20T23:15:01-05:00", "2026-11-21T04:15:01.000Z"],
  ["2026-11-20T23:15:01+0200", "2026-11-20T21:15:01.000Z"],
  ["2026-02-30", null],
  ["2026-13-01", null],
  ["2026-11-20T25:00", null],
  ["Nov 20, 2026", null],
  ["20261120", null],
  ["", null],
])("momentOf(%j) is %s in every time zone", (text, expected) => {
  const at = momentOf(text);
  expect(at === null ? null : new Date(at).toISOString()).toBe(expected);
});

it("momentOf ignores the local time zone", () => {
  vi.stubEnv("TZ", "America/New_York");
  try {
    expect(new Date(2026, 10, 20).getTimezoneOffset()).toBe(300);
    expect(momentOf("2026-11-20T23:15")).toBe(Date.UTC(2026, 10, 20, 23, 15));
  } finally {
    vi.unstubAllEnvs();
  }
});

it("judgeSales classifies each sale, oldest first", () => {
  const sales = [sale(1, 99_999), sale(40, 5), sale(2, 1000), sale(3, 1010), sale(4, 1020), sale(5, 1030), sale(-9, 1)];
  expect(judgeSales(sales, AS_OF).map((one) => [one.sale.cents, one.isInWindow, one.isOutlier])).toEqual([
    [5, false, false],
    [1030, true, false],
    [1020, true, false],
    [1010, true, false],
    [1000, true, false],
    [99_999, true, true],
  ]);
});

const anyHour = fc.integer({ min: -23, max: 50 * 24 });
const anyCents = fc.oneof(fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 9000, max: 11_000 }));
const anySale = fc.record({ hour: anyHour, cents: anyCents, platform: fc.constantFrom(null, "eBay", "Fanatics") });
const anySales = fc
  .array(anySale, { maxLength: 60 })
  .map((sales): Sale[] => sales.map(({ hour, cents, platform }) => ({ soldAt: ago(hour), cents, platform })));
const windowSales = anySales.map((sales) => sales.filter(({ soldAt }) => soldAt >= ago(30 * 24)));

describe("for any sales,", () => {
  it("the order does not matter", () => {
    const soldAt = fc.constantFrom("2026-11-20", "2026-11-20T00:00Z", "2026-11-19T19:00-05:00", "2026-11-01");
    const platform = fc.constantFrom(null, "eBay", "Fanatics");
    const alike = fc.array(fc.record({ soldAt, cents: fc.integer({ min: 5, max: 6 }), platform }));
    fc.assert(
      fc.property(
        fc
          .oneof(anySales, alike)
          .chain((sales) => fc.tuple(fc.constant(sales), fc.shuffledSubarray(sales, { minLength: sales.length }))),
        ([sales, shuffled]) => {
          expect(marketMetrics(shuffled, AS_OF)).toEqual(marketMetrics(sales, AS_OF));
          expect(judgeSales(shuffled, AS_OF)).toEqual(judgeSales(sales, AS_OF));
        },
      ),
    );
  });

  it("amounts are whole cents, with low ≤ median ≤ high and low ≤ average ≤ high", () => {
    fc.assert(
      fc.property(anySales, (sales) => {
        const metrics = marketMetrics(sales, AS_OF);
        const { averageCents, medianCents, lowCents, highCents, lastSaleCents, sparklineCents } = metrics;
        const amounts = [averageCents, medianCents, lowCents, highCents, lastSaleCents].filter((one) => one !== null);
        expect([...amounts, ...sparklineCents].every(Number.isSafeInteger)).toBe(true);
        expect([0, 1, 4, 5]).toContain(amounts.length);
        for (const middle of [averageCents, medianCents]) {
          expect(middle ?? 0).toBeGreaterThanOrEqual(lowCents ?? 0);
          expect(middle ?? 0).toBeLessThanOrEqual(highCents ?? 0);
        }
        expect(metrics.sampleSize).toBeLessThanOrEqual(metrics.salesCount);
        expect(metrics.sampleSize * 2).toBeGreaterThanOrEqual(metrics.salesCount);
      }),
    );
  });

  it("fences match quartiles in exact fractions", () => {
    fc.assert(
      fc.property(windowSales, (sales) => {
        const sorted = sales.map(({ cents }) => BigInt(cents)).toSorted((one, other) => Number(one - other));
        const quartile = (quarter: bigint): bigint => {
          const steps = (BigInt(sorted.length) - 1n) * quarter;
          const below = sorted[Number(steps / 4n)] ?? 0n;
          return 4n * below + (steps % 4n) * ((sorted[Number(steps / 4n) + 1] ?? below) - below);
        };
        const [first, third] = [quartile(1n), quartile(3n)];
        const isKept = (cents: number): boolean =>
          sales.length < 4 ||
          (8n * BigInt(cents) >= 5n * first - 3n * third && 8n * BigInt(cents) <= 5n * third - 3n * first);
        for (const { sale, isOutlier } of judgeSales(sales, AS_OF)) expect(isOutlier).toBe(!isKept(sale.cents));
      }),
    );
  });

  it("one more sale that changes no other's class moves the median at most to a neighbor, and not at all if it is an outlier", () => {
    const keptCents = (sales: readonly Sale[]): number[] =>
      judgeSales(sales, AS_OF)
        .flatMap((one) => (one.isOutlier ? [] : [one.sale.cents]))
        .toSorted((a, b) => a - b);
    const added = fc.record({ hour: fc.integer({ min: 0, max: 700 }), cents: fc.integer({ min: 1, max: 900_000 }) });
    let outliers = 0;
    fc.assert(
      fc.property(windowSales, added, (sales, { hour, cents }) => {
        const one: Sale = { soldAt: ago(hour), cents, platform: "added" };
        const [before, after] = [keptCents(sales), keptCents([...sales, one])];
        const isOutlier = judgeSales([...sales, one], AS_OF).some((other) => other.sale === one && other.isOutlier);
        const others = isOutlier ? after : after.toSpliced(after.indexOf(cents), 1);
        fc.pre(before.length > 0 && JSON.stringify(others) === JSON.stringify(before));
        const median = marketMetrics([...sales, one], AS_OF).medianCents;
        if (isOutlier) {
          outliers += 1;
          expect(median).toBe(marketMetrics(sales, AS_OF).medianCents);
        } else {
          const middle = (before.length - 1) / 2;
          expect(median).toBeGreaterThanOrEqual(before[Math.ceil(middle) - 1] ?? Math.min(cents, ...before));
          expect(median).toBeLessThanOrEqual(before[Math.floor(middle) + 1] ?? Math.max(cents, ...before));
        }
      }),
    );
    expect(outliers).toBeGreaterThan(0);
  });

  it("sales outside the window change only the last sale", () => {
    const old = fc.array(fc.record({ hour: fc.integer({ min: 721, max: 9000 }), cents: anyCents }), { minLength: 1 });
    fc.assert(
      fc.property(windowSales, old, (sales, older) => {
        const more = older.map(({ hour, cents }): Sale => ({ soldAt: ago(hour), cents, platform: null }));
        const future: Sale = { soldAt: ago(-25), cents: 1, platform: null };
        const metrics = marketMetrics([...more, future, ...sales], AS_OF);
        const { lastSaleAt, lastSaleCents } = metrics;
        expect({ ...metrics, lastSaleAt: null, lastSaleCents: null }).toEqual({
          ...marketMetrics(sales, AS_OF),
          lastSaleAt: null,
          lastSaleCents: null,
        });
        expect(sales.length > 0 ? sales : more).toContainEqual(
          expect.objectContaining({ soldAt: lastSaleAt, cents: lastSaleCents }),
        );
      }),
    );
  });

  it("ten times the prices give ten times the metrics, up to rounding", () => {
    fc.assert(
      fc.property(anySales, (sales) => {
        const small = marketMetrics(sales, AS_OF);
        const large = marketMetrics(
          sales.map((one) => ({ ...one, cents: 10 * one.cents })),
          AS_OF,
        );
        const tenfold = (cents: number | null): number | null => (cents === null ? null : 10 * cents);
        expect(large).toMatchObject({
          lowCents: tenfold(small.lowCents),
          highCents: tenfold(small.highCents),
          lastSaleCents: tenfold(small.lastSaleCents),
          salesCount: small.salesCount,
          sampleSize: small.sampleSize,
          velocity: small.velocity,
          trend: small.trend,
          sparklineCents: small.sparklineCents.map((cents) => 10 * cents),
        });
        for (const name of ["averageCents", "medianCents"] as const)
          expect(Math.abs((large[name] ?? 0) - 10 * (small[name] ?? 0))).toBeLessThanOrEqual(5);
      }),
    );
  });
});

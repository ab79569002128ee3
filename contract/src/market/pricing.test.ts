import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardsiqSchema, pricingSchema, saleSchema } from "../api/prices.ts";
import { cardsiqOf, pricingOf, salesOf } from "./pricing.ts";
import type { CardladderFound } from "./pricing.ts";

const FETCHED_AT = "2026-11-21T12:00:00.000Z";
const NOTHING: CardladderFound = {
  estimateCents: null,
  lastSaleCents: null,
  lastSaleAt: null,
  confidence: null,
  month: null,
  sales: [],
  isCut: false,
};
const sale = (soldAt: string, cents: number) => ({ soldAt, cents, platform: "eBay" });

describe("pricingOf", () => {
  it("uses the source's own count if the list was cut within the window", () => {
    const sales = [sale("2026-11-20", 10_000), sale("2026-11-19", 10_200)];
    const month = { count: 450, averageCents: 99 };
    const countsOf = (isCut: boolean, count = 450) =>
      pricingOf({ ...NOTHING, month: { ...month, count }, sales, isCut }, FETCHED_AT);
    expect(countsOf(true)).toMatchObject({
      averagePrice: 101,
      salesCount: 450,
      salesVelocity: { thirtyDay: 15 },
      sampleSize: 2,
    });
    expect(countsOf(false)).toMatchObject({ averagePrice: 101, salesCount: 2, salesVelocity: { thirtyDay: 0.07 } });
    expect(countsOf(true, 1)).toMatchObject({ salesCount: 2 });
  });

  it("gives the metrics of the listed sales in dollars", () => {
    const sales = [
      sale("2026-11-20", 10_001),
      sale("2026-11-19", 10_100),
      sale("2026-11-18", 990_000),
      sale("2026-11-02", 9000),
      sale("2026-11-01", 9150),
      sale("2026-09-01", 100),
    ];
    const month = { count: 40, averageCents: 1 };
    expect(pricingOf({ ...NOTHING, estimateCents: 10_550, confidence: 4, month, sales }, FETCHED_AT)).toEqual({
      cardladderEstimate: 105.5,
      averagePrice: 95.63,
      medianPrice: 95.76,
      lastSalePrice: 100.01,
      priceTrend: "increasing",
      salesCount: 5,
      salesVelocity: { thirtyDay: 0.17 },
      priceRange: { low: 90, high: 101 },
      sampleSize: 4,
      newestSaleAt: "2026-11-20",
      confidence: 4,
      sparkline: [91.5, 90, 101, 100.01],
      fetchedAt: FETCHED_AT,
    });
  });

  it("uses the source's own month if the list has no sale in the window", () => {
    const month = { count: 12, averageCents: 1_635_983 };
    const named = { lastSaleCents: 1_560_000, lastSaleAt: "2026-11-19T03:59:01.000Z" };
    const sales = [sale("2026-09-01", 100)];
    expect(pricingOf({ ...NOTHING, ...named, month, sales }, FETCHED_AT)).toEqual({
      cardladderEstimate: null,
      averagePrice: 16_359.83,
      medianPrice: null,
      lastSalePrice: 15_600,
      priceTrend: null,
      salesCount: 12,
      salesVelocity: { thirtyDay: 0.4 },
      priceRange: { low: null, high: null },
      sampleSize: null,
      newestSaleAt: "2026-11-19T03:59:01.000Z",
      confidence: null,
      sparkline: [],
      fetchedAt: FETCHED_AT,
    });
  });

  it.each<[string, Partial<CardladderFound>, (number | null)[]]>([
    ["a month without sales", { month: { count: 0, averageCents: 500 } }, [null, 0, 0, null]],
    ["a month whose mean is none", { month: { count: 2, averageCents: 0 } }, [null, 2, 0.07, null]],
    ["no month and older sales only", { sales: [sale("2026-01-01", 100)] }, [null, 0, 0, 0]],
    ["nobody says anything", {}, [null, null, null, null]],
  ])("%s", (_, found, expected) => {
    const pricing = pricingOf({ ...NOTHING, ...found }, FETCHED_AT);
    expect([pricing.averagePrice, pricing.salesCount, pricing.salesVelocity.thirtyDay, pricing.sampleSize]).toEqual(
      expected,
    );
  });

  const listed = [sale("2026-11-10T10:00:00Z", 5000)];
  it.each<[string, Partial<CardladderFound>, [number | null, string | null]]>([
    ["the newest listed sale", { sales: listed }, [50, "2026-11-10T10:00:00Z"]],
    [
      "a newer one that the source names",
      { sales: listed, lastSaleCents: 6000, lastSaleAt: "2026-11-11" },
      [60, "2026-11-11"],
    ],
    [
      "not one of the same moment",
      { sales: listed, lastSaleCents: 6000, lastSaleAt: "2026-11-10T05:00:00-05:00" },
      [50, "2026-11-10T10:00:00Z"],
    ],
    ["not one without a date", { sales: listed, lastSaleCents: 6000 }, [50, "2026-11-10T10:00:00Z"]],
    ["which counts where none is listed", { lastSaleCents: 6000 }, [60, null]],
    ["also when its date cannot be read", { lastSaleCents: 6000, lastSaleAt: "soon" }, [60, null]],
    ["not one that has not happened", { lastSaleCents: 6000, lastSaleAt: "2026-11-30" }, [null, null]],
    ["not one for nothing", { lastSaleCents: 0, lastSaleAt: "2026-11-11" }, [null, null]],
  ])("last sale: %s", (_, found, expected) => {
    const { lastSalePrice, newestSaleAt } = pricingOf({ ...NOTHING, ...found }, FETCHED_AT);
    expect([lastSalePrice, newestSaleAt]).toEqual(expected);
  });

  it("treats an estimate of 0 as missing", () => {
    expect(pricingOf({ ...NOTHING, estimateCents: 0 }, FETCHED_AT).cardladderEstimate).toBeNull();
  });
});

describe("cardsiqOf", () => {
  it("gives dollars, and treats 0 as missing", () => {
    expect(
      cardsiqOf({ estimateCents: 12_345, lastSaleCents: 0, confidence: 2, requiresReview: true }, FETCHED_AT),
    ).toEqual({
      estimatedValue: 123.45,
      lastSalePrice: null,
      confidence: 2,
      requiresReview: true,
      fetchedAt: FETCHED_AT,
    });
  });
});

it("salesOf lists the sales that count, newest first", () => {
  const sales = [sale("2026-09-01", 100), sale("2026-11-20", 200), sale("never", 300), sale("2026-11-20", 150)];
  expect(salesOf(sales, new Date(FETCHED_AT))).toEqual([
    { soldAt: "2026-11-20", price: 1.5, platform: "eBay", isInWindow: true, isOutlier: false },
    { soldAt: "2026-11-20", price: 2, platform: "eBay", isInWindow: true, isOutlier: false },
    { soldAt: "2026-09-01", price: 1, platform: "eBay", isInWindow: false, isOutlier: false },
  ]);
});

describe("for any answer of a source,", () => {
  const cents = fc.option(fc.integer({ min: -10, max: 2_000_000_000 }));
  const date = fc.oneof(
    fc.date({ noInvalidDate: true }).map((one) => one.toISOString()),
    fc.string(),
  );
  const recent = fc.integer({ min: 0, max: 60 }).map((day) => new Date(Date.UTC(2026, 10, 21 - day)).toISOString());
  const found = fc.record({
    estimateCents: cents,
    lastSaleCents: cents,
    lastSaleAt: fc.option(fc.oneof(date, recent)),
    confidence: fc.option(fc.integer({ min: 1, max: 5 })),
    requiresReview: fc.boolean(),
    month: fc.option(fc.record({ count: fc.nat(500), averageCents: cents })),
    sales: fc.array(
      fc.record({
        soldAt: fc.oneof(date, recent),
        cents: fc.integer({ min: -10, max: 2_000_000_000 }),
        platform: fc.constant(null),
      }),
    ),
    isCut: fc.boolean(),
  });

  it("the price fits the contract, in whole cents", () => {
    fc.assert(
      fc.property(found, (one) => {
        const pricing = pricingOf(one, FETCHED_AT);
        expect(pricingSchema.parse(pricing)).toEqual(pricing);
        expect(cardsiqSchema.parse(cardsiqOf(one, FETCHED_AT))).toEqual(cardsiqOf(one, FETCHED_AT));
        const sales = salesOf(one.sales, new Date(FETCHED_AT));
        for (const sale of sales) expect(saleSchema.parse(sale)).toEqual(sale);
        expect(sales.filter((sale) => sale.isInWindow && !sale.isOutlier)).toHaveLength(pricing.sampleSize ?? 0);
        const { averagePrice, medianPrice, cardladderEstimate, priceRange, sparkline } = pricing;
        const amounts = [averagePrice, medianPrice, cardladderEstimate, priceRange.low, priceRange.high, ...sparkline];
        for (const dollars of amounts.filter((amount) => amount !== null))
          expect(dollars).toBe(Number(dollars.toFixed(2)));
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Pricing } from "../api/prices.ts";
import { DEFAULT_OFFER_RULE, offerOf } from "./buy-offer.ts";
import { totalsOf } from "./totals.ts";
import type { TotaledRow, Totals } from "./totals.ts";

const FETCHED_AT = "2026-11-21T12:00:00.000Z";
const UNPRICED: Pricing = {
  cardladderEstimate: null,
  averagePrice: null,
  medianPrice: null,
  lastSalePrice: null,
  priceTrend: null,
  salesCount: null,
  salesVelocity: { thirtyDay: null },
  priceRange: { low: null, high: null },
  sampleSize: null,
  newestSaleAt: null,
  confidence: null,
  sparkline: [],
  fetchedAt: FETCHED_AT,
};

type Amounts = {
  price?: number | null;
  estimate?: number | null;
  median?: number | null;
  cardsiq?: number | null;
  ownOffer?: number | null;
};

function row({ price = null, estimate = null, median = null, cardsiq = null, ownOffer = null }: Amounts): TotaledRow {
  return {
    outcome: "found",
    price,
    ownOffer,
    pricing:
      estimate === null && median === null ? null : { ...UNPRICED, cardladderEstimate: estimate, medianPrice: median },
    cardsiq:
      cardsiq === null
        ? null
        : {
            estimatedValue: cardsiq,
            lastSalePrice: null,
            confidence: null,
            requiresReview: false,
            fetchedAt: FETCHED_AT,
          },
  };
}

const NOTHING = { sum: 0, n: 0 };

describe("totalsOf", () => {
  it("adds up the values that rows have", () => {
    const rows: TotaledRow[] = [
      row({ price: 10, estimate: 25.5, median: 20.1, cardsiq: 24 }),
      row({ price: 5.05, median: 101.2 }),
      row({ price: 0, estimate: 3.3 }),
      row({ estimate: 7 }),
      row({ median: 0 }),
      { ...row({ price: 2 }), outcome: "not_found" },
      { ...row({}), outcome: null },
    ];
    expect(totalsOf(rows, DEFAULT_OFFER_RULE)).toEqual({
      count: 7,
      found: 5,
      cost: { sum: 17.05, n: 4 },
      estimate: { sum: 35.8, n: 3 },
      median: { sum: 121.3, n: 2 },
      cardsiq: { sum: 24, n: 1 },
      offer: { sum: 82, n: 2 },
      margin: { sum: 18.8, cost: 10, n: 2, percent: 188 },
    } satisfies Totals);
  });

  it("adds up the rows' own offers with those of the rule, and without a rule", () => {
    const rows = [row({ median: 100 }), row({ median: 100, ownOffer: 12.5 }), row({ ownOffer: 0.01 })];
    expect(totalsOf(rows, DEFAULT_OFFER_RULE).offer).toEqual({ sum: 82.51, n: 3 });
    expect(totalsOf(rows, null).offer).toEqual({ sum: 12.51, n: 2 });
  });

  it("has no offer without a rule, and no percentage without a cost", () => {
    const { offer, margin } = totalsOf([row({ price: 0, estimate: 3, median: 5 })], null);
    expect([offer, margin]).toEqual([NOTHING, { sum: 3, cost: 0, n: 1, percent: null }]);
    expect(totalsOf([], null).margin).toEqual({ sum: 0, cost: 0, n: 0, percent: null });
  });

  it.each([
    [100, 75, -25],
    [3, 2, -33.3],
    [1.5, 2.5, 66.7],
    [10_000, 9999.99, 0],
    [2000, 2001, 0.1],
    [2000, 1999, -0.1],
  ])("paid %d, worth %d: %d percent", (price, estimate, percent) => {
    expect(totalsOf([row({ price, estimate })], null).margin.percent).toBe(percent);
  });

  it("rounds parts of a cent half up", () => {
    expect(totalsOf([row({ price: 1.005 }), row({ price: 45.125 })], null).cost).toEqual({ sum: 46.14, n: 2 });
  });

  it("does not drift over many rows", () => {
    const rows = Array.from({ length: 100_000 }, () => row({ price: 0.1, estimate: 0.7, median: 0.3, cardsiq: 0.2 }));
    expect(totalsOf(rows, { ...DEFAULT_OFFER_RULE, roundTo: 0.01 })).toEqual({
      count: 100_000,
      found: 100_000,
      cost: { sum: 10_000, n: 100_000 },
      estimate: { sum: 70_000, n: 100_000 },
      median: { sum: 30_000, n: 100_000 },
      cardsiq: { sum: 20_000, n: 100_000 },
      offer: { sum: 18_000, n: 100_000 },
      margin: { sum: 60_000, cost: 10_000, n: 100_000, percent: 600 },
    });
  });

  const cents = fc.option(fc.integer({ min: 1, max: 20_000_000 }));
  const dollars = cents.map((one) => (one === null ? null : one / 100));
  const rowsOf = fc.array(
    fc
      .record({ price: dollars, estimate: dollars, median: dollars, cardsiq: dollars, ownOffer: dollars })
      .map((amounts) => row(amounts)),
  );
  const exact = (amounts: (number | null | undefined)[]): { sum: number; n: number } => {
    const all = amounts.filter((one) => one !== null && one !== undefined);
    const sum = all.reduce((total, one) => total + BigInt(Math.round(one * 100)), 0n);
    return { sum: Number(sum) / 100, n: all.length };
  };

  it("equals the sum of the rows, to the cent", () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const totals = totalsOf(rows, DEFAULT_OFFER_RULE);
        const both = rows.filter((one) => one.price !== null && typeof one.pricing?.cardladderEstimate === "number");
        const gained = both.flatMap((one) => [one.pricing?.cardladderEstimate, -(one.price ?? 0)]);
        expect(totals).toMatchObject({
          count: rows.length,
          cost: exact(rows.map((one) => one.price)),
          estimate: exact(rows.map((one) => one.pricing?.cardladderEstimate)),
          median: exact(rows.map((one) => one.pricing?.medianPrice)),
          cardsiq: exact(rows.map((one) => one.cardsiq?.estimatedValue)),
          offer: exact(rows.map((one) => offerOf(DEFAULT_OFFER_RULE, one))),
          margin: { sum: exact(gained).sum, cost: exact(both.map((one) => one.price)).sum, n: both.length },
        });
      }),
    );
  });

  it("equals the total of any split into parts", () => {
    fc.assert(
      fc.property(rowsOf, fc.nat(), (rows, at) => {
        const cut = at % (rows.length + 1);
        const [whole, one, other] = [rows, rows.slice(0, cut), rows.slice(cut)].map((part) =>
          totalsOf(part, DEFAULT_OFFER_RULE),
        );
        for (const name of ["cost", "estimate", "median", "cardsiq", "offer", "margin"] as const) {
          expect(whole?.[name].n).toBe((one?.[name].n ?? 0) + (other?.[name].n ?? 0));
          expect(Math.round((whole?.[name].sum ?? 0) * 100)).toBe(
            Math.round((one?.[name].sum ?? 0) * 100) + Math.round((other?.[name].sum ?? 0) * 100),
          );
        }
      }),
    );
  });
});

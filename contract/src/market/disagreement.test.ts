import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardsiqOf, pricingOf } from "./pricing.ts";
import { disagreementOf, driftOf } from "./disagreement.ts";
import type { Disagreement, Drift } from "./disagreement.ts";

const FETCHED_AT = "2026-11-21T12:00:00.000Z";
const NOTHING = { lastSaleCents: null, lastSaleAt: null, confidence: null, month: null, sales: [], isCut: false };

function estimated(cardladder: number | null, cardsiq: number | null): Parameters<typeof disagreementOf>[0] {
  return {
    pricing: pricingOf({ ...NOTHING, estimateCents: cardladder }, FETCHED_AT),
    cardsiq: cardsiqOf({ ...NOTHING, estimateCents: cardsiq, requiresReview: false }, FETCHED_AT),
  };
}

describe("disagreementOf", () => {
  it.each<[number | null, number | null, Disagreement | null]>([
    [13_800, 10_000, { percent: 38, higher: "cardladder" }],
    [10_000, 13_800, { percent: 38, higher: "cardsiq" }],
    [12_000, 10_000, { percent: 20, higher: "cardladder" }],
    [11_999, 10_000, null],
    [10_000, 10_000, null],
    [20_050, 10_000, { percent: 101, higher: "cardladder" }],
    [20_049, 10_000, { percent: 100, higher: "cardladder" }],
    [1_000_000_000_000, 1, { percent: 99_999_999_999_900, higher: "cardladder" }],
    [null, 10_000, null],
    [10_000, null, null],
    [0, 10_000, null],
  ])("CardLadder %j, CardsIQ %j cents: %j", (cardladder, cardsiq, expected) => {
    expect(disagreementOf(estimated(cardladder, cardsiq))).toEqual(expected);
  });

  it("needs both sources", () => {
    const { pricing, cardsiq } = estimated(20_000, 10_000);
    expect(disagreementOf({ pricing: null, cardsiq })).toBeNull();
    expect(disagreementOf({ pricing, cardsiq: null })).toBeNull();
  });

  it("is symmetric", () => {
    const cents = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        const found = disagreementOf(estimated(one, other));
        expect(disagreementOf(estimated(other, one))?.percent).toBe(found?.percent);
        expect(found === null).toBe(Math.max(one, other) * 5 < Math.min(one, other) * 6);
      }),
    );
  });
});

describe("driftOf", () => {
  it.each<[number | null | undefined, number | null | undefined, Drift | null]>([
    [110, 100, { dollars: 10, percent: 10 }],
    [90, 100, { dollars: -10, percent: -10 }],
    [100.1, 100, { dollars: 0.1, percent: 0.1 }],
    [100.05, 100, { dollars: 0.05, percent: 0.1 }],
    [99.95, 100, { dollars: -0.05, percent: -0.1 }],
    [100.04, 100, { dollars: 0.04, percent: 0 }],
    [99.96, 100, { dollars: -0.04, percent: 0 }],
    [4.35, 1.1, { dollars: 3.25, percent: 295.5 }],
    [100, 100, { dollars: 0, percent: 0 }],
    [null, 100, null],
    [100, null, null],
    [undefined, undefined, null],
    [100, 0, null],
    [0, 100, null],
  ])("now %j, then %j: %j", (now, then, expected) => {
    expect(driftOf(now, then)).toEqual(expected);
  });

  it("adds up from the first price to the current one, to the cent", () => {
    const cents = fc.integer({ min: 1, max: 1_000_000_000 });
    fc.assert(
      fc.property(cents, cents, (now, then) => {
        const moved = driftOf(now / 100, then / 100);
        expect(Math.round((moved?.dollars ?? Number.NaN) * 100)).toBe(now - then);
        expect(Math.sign(moved?.percent ?? Number.NaN) * Math.sign(now - then)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

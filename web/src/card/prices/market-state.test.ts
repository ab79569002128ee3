import type { PriceState } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { expect, test } from "vitest";
import { aCardsiqPrice, aFoundRow, aPricedRow, aPricing, aRow } from "../../run/row-factory.test-data.ts";
import { hasNoPrice, marketDetails, marketState } from "./market-state.ts";

const inState = (
  cardladder: PriceState | null,
  message = "",
  cardsiq: PriceState | null = null,
): ResultRow["prices"] => ({
  cardladder: { state: cardladder, message },
  cardsiq: { state: cardsiq, message: "" },
});

test.each<[string, ResultRow, object]>([
  ["a row without a card", aRow(), { kind: "blank" }],
  ["a card that was not found", aRow({ status: "error", outcome: "not_found" }), { kind: "blank" }],
  ["a card nobody asked a price for", aFoundRow(), { kind: "unasked" }],
  ["a price that was asked for", aFoundRow({ prices: inState("pending") }), { kind: "pending" }],
  ["a price whose source is paused", aFoundRow({ prices: inState("waiting") }), { kind: "waiting" }],
  ["a card without a price", aFoundRow({ prices: inState("none", "No data") }), { kind: "none", message: "No data" }],
  ["a price that failed", aFoundRow({ prices: inState("failed", "Outage") }), { kind: "failed", message: "Outage" }],
  ["a priced card", aPricedRow(), { kind: "metrics", isRenewing: false, message: "" }],
  ["a price that is fetched again", aPricedRow({ prices: inState("pending") }), { kind: "metrics", isRenewing: true }],
  [
    "a price whose update failed",
    aPricedRow({ prices: inState("failed", "Outage") }),
    { kind: "metrics", isRenewing: false, message: "Outage" },
  ],
])("%s", (_name, row, expected) => {
  expect(marketState(row)).toMatchObject(expected);
});

test.each<[string, ResultRow, boolean]>([
  ["neither source has a price", aFoundRow({ prices: inState("none", "", "none") }), true],
  ["the only source failed", aFoundRow({ prices: inState("failed") }), true],
  ["CardsIQ has one", aFoundRow({ prices: inState("none", "", "priced"), cardsiq: aCardsiqPrice() }), false],
  ["nobody asked", aFoundRow(), false],
  ["it is on its way", aFoundRow({ prices: inState("pending", "", "pending") }), false],
  ["the first one failed anew", aPricedRow({ prices: inState("failed") }), false],
  ["there is no card", aRow({ status: "error", outcome: "not_found", prices: inState("none") }), false],
])("a row is without a price if %s: %j", (_name, row, expected) => {
  expect(hasNoPrice(row)).toBe(expected);
});

test("the tooltip has every price metric, its sample, and its age", () => {
  expect(marketDetails(aPricing(), "").split("\n")).toEqual([
    "30-day average $401.25",
    "30-day median $398.00",
    "Last sale $420.00",
    "Trend up",
    "12 sales, 0.4 a day",
    "Computed from n = 11, 1 outlier left out",
    "Newest sale Nov 19, 2026",
  ]);
});

test("the tooltip omits what is missing", () => {
  const old = aPricing({
    averagePrice: null,
    medianPrice: null,
    priceTrend: null,
    salesCount: 0,
    salesVelocity: { thirtyDay: 0 },
    sampleSize: 0,
    newestSaleAt: "2026-03-02",
  });
  expect(marketDetails(old, "CardLadder did not answer").split("\n")).toEqual([
    "No sales in 30 days",
    "Last sale $420.00",
    "0 sales, 0.0 a day",
    "Newest sale Mar 2, 2026",
    "Not updated: CardLadder did not answer",
  ]);
});

import { driftOf } from "@slabdesk/contract/market/disagreement.ts";
import { expect, test } from "vitest";
import { ApiError, NetworkError } from "../../api/errors.ts";
import { aPricedRow, aPricing } from "../../run/row-factory.test-data.ts";
import {
  formatConfidence,
  driftStyle,
  offerDetails,
  pricingFailureMessage,
  rate,
  saleDate,
  shortAmount,
  trendStyle,
} from "./price-messages.ts";

test.each([
  [459.2, 410, "▲", "12%", "up 12%, was $410.00 on May 3, 2026"],
  [410, 430, "▼", "4.7%", "down 4.7%, was $430.00 on May 3, 2026"],
  [12_300, 10, "▲", "122,900%", "up 122,900%, was $10.00 on May 3, 2026"],
])("%d now and %d at first is a drift", (now, then, arrow, percent, message) => {
  expect(driftStyle(driftOf(now, then), then, "2026-05-03T12:00:00.000Z")).toMatchObject({ arrow, percent, message });
});

test.each([
  [410, 410],
  [410, null],
  [null, 410],
])("%j now and %j at first is no drift", (now, then) => {
  expect(driftStyle(driftOf(now, then), then, "2026-05-03T12:00:00.000Z")).toBeNull();
});

test.each([
  ["increasing", "▲", "up"],
  ["decreasing", "▼", "down"],
  ["other", "▬", "flat"],
] as const)("the trend %s is an arrow %s and the word %s", (trend, arrow, word) => {
  expect(trendStyle(trend)).toEqual({ arrow, word });
});

test("no trend has no arrow", () => expect(trendStyle(null)).toBeNull());

test.each([
  ["2026-11-19T23:30:00Z", "Nov 19, 2026"],
  ["2026-11-19", "Nov 19, 2026"],
  ["2026-11-19 04:00:00", "Nov 19, 2026"],
  ["last week", "last week"],
])("a sale of %s has the date %s in every time zone", (soldAt, message) => {
  expect(saleDate(soldAt)).toBe(message);
});

test.each([
  [0, "0.0"],
  [0.03, "0.03"],
  [0.1, "0.1"],
  [2.43, "2.4"],
])("%d sales a day are written as %s", (aDay, message) => expect(rate(aDay)).toBe(message));

test.each([
  [999.99, "999.99"],
  [1_250.4, "1,250"],
  [12_345.67, "12,346"],
])("%d in a narrow cell is %s", (dollars, message) => expect(shortAmount(dollars)).toBe(message));

test.each([
  [1, "1 of 5, very low"],
  [4, "4 of 5, high"],
])("confidence %d reads %s", (confidence, message) => expect(formatConfidence(confidence)).toBe(message));

const apiError = (status: number, message: string): ApiError =>
  new ApiError(message, { status, code: "unknown", requestId: null });

test.each([
  [apiError(404, "No CardLadder pricing data found for this card."), "No CardLadder pricing data found for this card."],
  [apiError(502, "CardLadder did not answer."), "Failed to fetch pricing: CardLadder did not answer."],
  [
    new NetworkError("no answer"),
    "Failed to fetch pricing: Could not connect to backend server. Please ensure it is running.",
  ],
])("%s has the specified text", (error, message) => {
  expect(pricingFailureMessage(error)).toBe(message);
});

const rule = { metric: "medianPrice", tiers: [{ from: 100, percent: 70 }], roundTo: 5, rounding: "down" } as const;
const withMedian = (medianPrice: number | null) => aPricedRow({ pricing: aPricing({ medianPrice }) });
const mutable = { ...rule, tiers: [...rule.tiers] };

test.each([
  [398, "69% of 30-day median $398.00"],
  [99, "30-day median $99.00 is below all tiers"],
  [null, "No 30-day median to offer on"],
])("the offer on a median of %j says what it is based on", (median, message) => {
  expect(offerDetails(mutable, withMedian(median))).toBe(message);
});

import { expect, test } from "vitest";
import type { CardsiqPricing, Pricing } from "../api/prices.ts";
import type { ResultRow } from "../api/results.ts";
import { inReviewOrder, type ReviewOptions, reasonsOf } from "./reasons.ts";

const found: ResultRow = {
  id: "1",
  sessionId: "s",
  line: 2,
  status: "completed",
  outcome: "found",
  waitingUntil: null,
  source: "api",
  entry: null,
  certNumber: "01020688",
  gradingCompany: "PSA",
  itemName: "1989 Upper Deck #1 Ken Griffey Jr.",
  player: "KEN GRIFFEY JR.",
  year: "1989",
  language: "N/A",
  brand: "UPPER DECK",
  cardNumber: "1",
  grade: "MINT 9",
  sport: "BASEBALL",
  variety: "N/A",
  graderNotes: null,
  tagScore: null,
  population: null,
  populationHigher: null,
  populationAsOf: null,
  imageUrl: "https://images.example/front.jpg",
  imageUrlBack: "https://images.example/back.jpg",
  certUrl: null,
  price: 40,
  priceText: "40",
  customerPrice: "44.00",
  ownOffer: null,
  inventoryName: null,
  notes: "",
  sheetNotes: "",
  error: null,
  pricing: null,
  cardsiq: null,
  pricingThen: null,
  cardsiqThen: null,
  prices: { cardladder: { state: null, message: "" }, cardsiq: { state: null, message: "" } },
  warnings: [],
  mismatches: [],
  imageFlags: [],
  reviewedAt: null,
  processedAt: "2026-11-21T10:00:00.000Z",
};

const pricing: Pricing = {
  cardladderEstimate: 80,
  averagePrice: 81,
  medianPrice: 80,
  lastSalePrice: 82,
  priceTrend: "other",
  salesCount: 9,
  salesVelocity: { thirtyDay: 0.3 },
  priceRange: { low: 70, high: 90 },
  sampleSize: 9,
  newestSaleAt: null,
  confidence: 4,
  sparkline: [],
  fetchedAt: "2026-11-21T10:00:00.000Z",
};

const cardsiq: CardsiqPricing = {
  estimatedValue: 84,
  lastSalePrice: 82,
  confidence: 3,
  requiresReview: false,
  fetchedAt: "2026-11-21T10:00:00.000Z",
};

const failed = (fields: Partial<ResultRow>): Partial<ResultRow> => ({ status: "error", itemName: null, ...fields });
const options: ReviewOptions = { highValue: 500, doubtsFrom: 40, isTwiceOpen: false };

test.each<[string, Partial<ResultRow>, string[]]>([
  ["a card that is in order", { pricing, cardsiq }, []],
  ["not looked up yet", { status: "pending", outcome: null }, []],
  ["waits", { status: "waiting", outcome: "quota_exhausted" }, []],
  ["retries by itself", { status: "queued", outcome: "timeout" }, []],
  ["not found", failed({ outcome: "not_found" }), ["failed edit_number: Not found"]],
  ["an invalid number", failed({ outcome: "invalid_number" }), ["failed edit_number: Invalid number"]],
  [
    "a row without company",
    failed({ outcome: "invalid_row", gradingCompany: "" }),
    ["failed edit_number: No grading company"],
  ],
  ["an outage", failed({ status: "failed", outcome: "timeout" }), ["failed retry: Timed out"]],
  ["credentials missing", failed({ outcome: "not_configured" }), ["failed retry: Not configured"]],
  ["failed for no reason given", failed({ outcome: null }), ["failed retry: Failed"]],
  [
    "failed, with all else in doubt too: the failure alone",
    failed({ outcome: "not_found", price: null, priceText: "cheap", imageFlags: ["no_image"] }),
    ["failed edit_number: Not found"],
  ],
  [
    "differs from the sheet",
    { mismatches: ["your sheet: PSA 10, registry: MINT 9", "your sheet: 1990, registry: 1989"] },
    ["differs open_images: your sheet: PSA 10, registry: MINT 9; your sheet: 1990, registry: 1989"],
  ],
  [
    "a price that is none",
    { price: null, priceText: " cheap " },
    ["price_in_doubt looks_right: Price “cheap” isn't an amount"],
  ],
  ["no price at all is no doubt", { price: null, priceText: " " }, []],
  [
    "a price with three decimals",
    { price: 1.25, priceText: "1.250" },
    ["price_in_doubt looks_right: Price “1.250” can be read in two ways"],
  ],
  ["no image", { imageFlags: ["no_image"] }, ["no_image add_photo: No image"]],
  ["one side", { imageFlags: ["one_side"] }, ["one_side add_photo: Image of one side only"]],
  ["same sides", { imageFlags: ["same_sides"] }, ["same_sides open_images: Front and back are the same image"]],
  [
    "sources 25% apart",
    { pricing, cardsiq: { ...cardsiq, estimatedValue: 100 } },
    ["sources_disagree open_prices: Sources disagree by 25%"],
  ],
  ["sources 19% apart", { pricing, cardsiq: { ...cardsiq, estimatedValue: 95.2 } }, []],
  [
    "CardLadder's confidence 2",
    { pricing: { ...pricing, confidence: 2 } },
    ["low_confidence open_prices: CardLadder’s confidence is 2 of 5"],
  ],
  ["CardLadder's confidence 3", { pricing: { ...pricing, confidence: 3 } }, []],
  [
    "all doubts of the prices in one reason",
    { pricing: { ...pricing, sampleSize: 2 }, cardsiq: { ...cardsiq, confidence: 1, requiresReview: true } },
    ["low_confidence open_prices: CardsIQ’s confidence is 1 of 5; CardsIQ flags this for review; Based on 2 sales"],
  ],
  ["one sale", { pricing: { ...pricing, sampleSize: 1 } }, ["low_confidence open_prices: Based on 1 sale"]],
  ["three sales are enough", { pricing: { ...pricing, sampleSize: 3 } }, []],
  ["no sales", { pricing: { ...pricing, sampleSize: 0 } }, []],
  [
    "a price that could not be fetched",
    { prices: { cardladder: { state: "failed", message: "down" }, cardsiq: { state: "none", message: "" } } },
    ["no_answer_on_price get_price: CardLadder didn't answer"],
  ],
  [
    "a source without a price has answered",
    { prices: { cardladder: { state: "none", message: "" }, cardsiq: { state: "priced", message: "" } } },
    [],
  ],
  [
    "an estimate of exactly the high value",
    { pricing: { ...pricing, cardladderEstimate: 500 } },
    ["high_value open_images: Worth $500"],
  ],
  ["a cent below it", { pricing: { ...pricing, cardladderEstimate: 499.99 } }, []],
  ["the estimate counts more than the price paid", { price: 900, priceText: "900", pricing }, []],
  ["without estimate the price", { price: 1250, priceText: "1250" }, ["high_value open_images: Worth $1,250"]],
  [
    "several, what weighs most first",
    {
      price: 900,
      priceText: "900",
      imageFlags: ["one_side"],
      mismatches: ["your sheet: PSA 10, registry: MINT 9"],
    },
    [
      "differs open_images: your sheet: PSA 10, registry: MINT 9",
      "one_side add_photo: Image of one side only",
      "high_value open_images: Worth $900",
    ],
  ],
  ["somebody has reviewed it", { imageFlags: ["no_image"], reviewedAt: "2026-11-21T10:00:00.000Z" }, []],
  ["somebody has reviewed a failure", failed({ outcome: "not_found", reviewedAt: "2026-11-21T10:00:00.000Z" }), []],
])("%s", (_name, fields, expected) => {
  const reasons = reasonsOf({ ...found, ...fields }, options);
  expect(reasons.map(({ kind, action, message }) => `${kind} ${action}: ${message}`)).toEqual(expected);
});

test("uses the viewer's high value, if there is one", () => {
  const kindsFrom = (highValue: number | null): string[] =>
    reasonsOf(found, { ...options, highValue }).map(({ kind }) => kind);
  expect([kindsFrom(40), kindsFrom(41), kindsFrom(null)]).toEqual([["high_value"], [], []]);
});

test("names a card that is also in another open session", () => {
  const reasons = reasonsOf({ ...found, imageFlags: ["no_image"] }, { ...options, isTwiceOpen: true });
  expect(reasons.map(({ kind }) => kind)).toEqual(["twice_open", "no_image"]);
  expect(reasonsOf(found, options)).toEqual([]);
});

test.each<[string, Partial<ResultRow>, number | null, string[]]>([
  ["of a card of exactly that value", { pricing: { ...pricing, cardladderEstimate: 50 } }, 50, ["low_confidence"]],
  ["of a card below it", { pricing: { ...pricing, cardladderEstimate: 49.99 } }, 50, []],
  ["of a card below it that costs more", { pricing: { ...pricing, cardladderEstimate: 49.99 }, price: 90 }, 50, []],
  [
    "of a card without a price",
    { price: null, priceText: "", prices: { ...found.prices, cardladder: { state: "failed", message: "down" } } },
    50,
    ["no_answer_on_price"],
  ],
  ["of any card while they are off", { pricing: { ...pricing, cardladderEstimate: 90 } }, null, []],
])("price doubts %s", (_name, fields, doubtsFrom, expected) => {
  const row = { ...found, ...fields, pricing: fields.pricing ? { ...fields.pricing, confidence: 1 } : null };
  expect(reasonsOf(row, { ...options, doubtsFrom }).map(({ kind }) => kind)).toEqual(expected);
});

test("failures are reviewed first, then differences, then what is worth most; equal ones in the sheet's order", () => {
  const rows: ResultRow[] = [
    { ...found, line: 2, imageFlags: ["no_image"] },
    { ...found, line: 3, mismatches: ["your sheet: 1990, registry: 1989"], price: 900 },
    { ...found, line: 4, imageFlags: ["no_image"], pricing },
    { ...found, line: 5, status: "error", outcome: "not_found" },
    { ...found, line: 6, mismatches: ["your sheet: 1991, registry: 1989"] },
    { ...found, line: 7, imageFlags: ["no_image"], price: null },
  ];
  expect(inReviewOrder(rows, (row) => reasonsOf(row, options)).map(({ line }) => line)).toEqual([5, 3, 6, 4, 2, 7]);
});

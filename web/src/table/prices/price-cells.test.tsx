import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { DEFAULT_OFFER_RULE } from "@slabdesk/contract/market/buy-offer.ts";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { aCardsiqPrice, aFoundRow, aPricedRow, aPricing, aRow } from "../../run/row-factory.test-data.ts";
import { MarketNumbers, windowOf } from "../../card/prices/PriceMetrics.tsx";
import type { RowContext } from "../row/row-context.ts";
import { aCell } from "../row/row-context.test-data.ts";
import { CardPrices, EstimateCell, MarketData, OfferCell } from "./price-cells.tsx";
import { TotalsBar } from "./TotalsBar.tsx";

const nothing = (): void => {};
const cellOf = (row: ResultRow, context: Partial<RowContext> = {}) => aCell(row, { onGetPrice: nothing, ...context });

/** As a screen reader announces it, without decorations. */
function heard(part: ReactNode): string {
  const markup = renderToStaticMarkup(<MantineProvider>{part}</MantineProvider>);
  return markup
    .replaceAll(/<style.*?<\/style>|<svg.*?<\/svg>/gs, "")
    .replaceAll(/<span[^>]*aria-hidden="true"[^>]*>(?:[^<]|<span[^>]*>[^<]*<\/span>)*<\/span>/g, "")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll(/\s+/g, " ")
    .trim();
}
const market = (row: ResultRow, context: Partial<RowContext> = {}): string =>
  heard(<MarketData {...cellOf(row, context)} />);
const withState = (cardladder: ResultRow["prices"]["cardladder"]): ResultRow =>
  aFoundRow({ prices: { cardladder, cardsiq: { state: null, message: "" } } });

test("Market Data shows average, median, last sale, trend, count, velocity, sample, and age", () => {
  expect(market(aPricedRow())).toBe(
    "30-day average 401.25 median 398.00 last sale 420.00 trend up12 sold · 0.4/day, computed from 11, newest Nov 19, 2026. Prices of 1989 Upper Deck #1 Ken Griffey Jr.",
  );
});

test("Market Data without sales in the window keeps the last one", () => {
  const pricing = aPricing({ averagePrice: null, medianPrice: null, priceTrend: null, salesCount: 0, sampleSize: 0 });
  expect(market(aPricedRow({ pricing }))).toContain("last sale 420.00 no sales in 30 days, newest Nov 19, 2026");
});

test.each<[string, ResultRow, string]>([
  ["nobody asked", aFoundRow(), "Get Price of 1989 Upper Deck #1 Ken Griffey Jr."],
  ["pending", withState({ state: "pending", message: "" }), "Pricing…"],
  ["waiting", withState({ state: "waiting", message: "" }), "Price pending"],
  [
    "none",
    withState({ state: "none", message: "No data" }),
    "No price: No dataGet Price of 1989 Upper Deck #1 Ken Griffey Jr.",
  ],
  [
    "failed",
    withState({ state: "failed", message: "Outage" }),
    "No price: OutageGet Price of 1989 Upper Deck #1 Ken Griffey Jr.",
  ],
  ["no card", aRow(), ""],
])("Market Data while the price is %s", (_name, row, message) => {
  expect(market(row)).toBe(message);
});

test("the button says Loading... during a request, and is absent if no source is on", () => {
  expect(market(aFoundRow(), { fetching: new Set(["row-2"]) })).toContain("Loading... of");
  expect(market(aFoundRow(), { onGetPrice: null })).toBe("none");
  expect(market(withState({ state: "none", message: "No data" }), { onGetPrice: null })).toBe("No price: No datanone");
});

test("without CardLadder, a card already priced by CardsIQ is not offered again", () => {
  const row = aFoundRow({
    prices: { cardladder: { state: null, message: "" }, cardsiq: { state: "none", message: "" } },
  });
  expect(market(row)).not.toContain("Get Price");
});

const estimate = (row: ResultRow, source: "cardladder" | "cardsiq"): string =>
  heard(<EstimateCell {...cellOf(row)} source={source} />);
const then = aPricing({ cardladderEstimate: 366, fetchedAt: "2026-05-03T12:00:00.000Z" });

test("an estimate shows its change since the first price", () => {
  const row = aPricedRow({
    pricingThen: then,
    cardsiqThen: aCardsiqPrice({ estimatedValue: 420, fetchedAt: "2026-05-04T12:00:00.000Z" }),
  });
  expect(estimate(row, "cardladder")).toContain("410.00, up 12%, was $366.00 on May 3, 2026");
  expect(estimate(row, "cardsiq")).toContain("395.00, down 6%, was $420.00 on May 4");
  expect(estimate(aPricedRow(), "cardladder")).not.toContain("was");
});

test("CardLadder's estimate is marked if the sources disagree", () => {
  const row = aPricedRow({ cardsiq: aCardsiqPrice({ estimatedValue: 297.1 }) });
  expect(estimate(row, "cardladder")).toContain("Sources disagree by 38%");
  expect(estimate(row, "cardsiq")).not.toContain("disagree");
  expect(estimate(aPricedRow(), "cardladder")).not.toContain("disagree");
});

test("without an estimate a found card has a dash and a row without a card nothing", () => {
  expect(estimate(aFoundRow(), "cardladder")).toBe("none");
  expect(estimate(aRow(), "cardladder")).toBe("");
  expect(estimate(withState({ state: "pending", message: "" }), "cardladder")).toBe("");
});

test("an offer follows the session's rule", () => {
  const offer = (row: ResultRow, offerRule: RowContext["offerRule"]): string =>
    heard(<OfferCell {...cellOf(row, { offerRule })} />);
  expect(offer(aPricedRow(), DEFAULT_OFFER_RULE)).toBe("278.00");
  expect(offer(aFoundRow(), DEFAULT_OFFER_RULE)).toBe("none");
  expect(offer(aPricedRow(), null)).toBe("");
});

test("a card of the phone's list has estimate and median, or its price state", () => {
  const card = (row: ResultRow, context: Partial<RowContext> = {}): string =>
    heard(<CardPrices {...cellOf(row, context)} />);
  expect(card(aPricedRow())).toBe(
    "estimate 410.00 30-day median 398.00 trend up. Prices of 1989 Upper Deck #1 Ken Griffey Jr.",
  );
  expect(card(aFoundRow())).toContain("Get Price");
  expect(card(aFoundRow(), { onGetPrice: null })).toBe("");
  expect(card(withState({ state: "waiting", message: "" }))).toBe("Price pending");
  expect(card(aRow())).toBe("");
});

const rows = [
  aPricedRow({ line: 2, price: 300 }),
  aPricedRow({ line: 3, pricing: aPricing({ cardladderEstimate: 90, medianPrice: null }), price: 100 }),
  aFoundRow({ line: 4, price: 50 }),
  aRow({ line: 5 }),
];
const totals = (
  shown: readonly ResultRow[],
  all = rows,
  hasRule = false,
  isPriced = false,
  selected: readonly ResultRow[] = [],
): string =>
  heard(
    <TotalsBar
      all={all}
      shown={shown}
      selected={selected}
      isPriced={isPriced}
      offerRule={hasRule ? DEFAULT_OFFER_RULE : null}
      onEditOffers={hasRule ? nothing : null}
    />,
  );

test("each total says how many cards it covers", () => {
  expect(totals(rows)).toBe(
    "4 cardsCost (3 of 4 cards)$450.00Estimate (2 of 4 cards)$500.00Median (1 of 4 cards)$398.00CardsIQ (2 of 4 cards)$790.00Margin (2 of 4 cards)+$100.00 +25%",
  );
});

test("without prices the only total is the cost; requested prices have placeholders", () => {
  const unpriced = rows.filter((row) => row.pricing === null && row.cardsiq === null);
  expect(totals(unpriced, unpriced)).toMatch(/^\d cards?Cost \([^A-Z]+$/);
  expect(totals(unpriced, unpriced, false, true)).toContain("Estimate (0 of");
});

test("totals cover the shown rows, and say so", () => {
  const text = totals(rows.slice(0, 1), rows, true);
  expect(text).toContain("1 card shownCost");
  expect(text).toContain("Estimate (all cards)$410.00");
  expect(text).toContain("Offers (all cards)$278.00");
  expect(text).toContain("Edit buy offers");
});

test("totals of selected rows cover them alone, shown or not", () => {
  const text = totals(rows.slice(2), rows, false, false, rows.slice(0, 2));
  expect(text).toContain("2 cards selectedCost (all cards)$400.00");
});

test("a loss is shown as a loss", () => {
  expect(totals(rows.slice(1, 2))).toContain("Margin (all cards)−$10.00 −10%");
});

test("without any price or cost there are no totals", () => {
  const bare = [aFoundRow(), aRow({ line: 3 })];
  expect(totals(bare, bare)).toBe("");
});

test("the card view shows both estimates with their confidence, and how much they disagree", () => {
  const text = heard(
    <MarketNumbers row={aPricedRow({ cardsiq: aCardsiqPrice({ estimatedValue: 297.1, requiresReview: true }) })} />,
  );
  expect(text).toContain("CardLadder estimate$410.00Confidence 4 of 5, high");
  expect(text).toContain("CardsIQ estimate$297.10Confidence 3 of 5, medium");
  expect(text).toContain("CardsIQ flags this for review");
  expect(text).toContain("Sources disagree by 38%. CardLadder is the higher one.");
});

test("the card view says why a source has no estimate", () => {
  const prices: ResultRow["prices"] = {
    cardladder: { state: "none", message: "No CardLadder pricing data found" },
    cardsiq: { state: null, message: "" },
  };
  const text = heard(<MarketNumbers row={aFoundRow({ prices })} />);
  expect(text).toContain("CardLadder estimateNoneNo CardLadder pricing data found");
  expect(text).toContain("CardsIQ estimate–Not requested");
});

test("the card view's metrics name their window, their sample, and the newest sale", () => {
  const row = aPricedRow({ pricingThen: { ...then, medianPrice: 380 } });
  const text = heard(<MarketNumbers row={row} />);
  expect(windowOf(row.pricing?.fetchedAt ?? "")).toBe("Oct 22, 2026 – Nov 21, 2026");
  expect(text).toContain("Median$398.00 , up 4.7%, was $380.00 on May 3, 2026");
  expect(text).toContain("Low to high$361.50 – $440.00");
  expect(text).toContain("Last sale$420.00 Nov 19, 2026");
  expect(text).toContain("Sales12 0.4 a day · n = 11, without 1 outlierTrend");
});

import { CARD_FIELDS, recordOf, NO_POPULATION } from "@slabdesk/contract/api/cards.ts";
import type { CardsiqPricing, Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";

/** A pending PSA row. The id is derived from the line unless given. */
export function aRow(fields: Partial<ResultRow> = {}): ResultRow {
  const line = fields.line ?? 2;
  return {
    id: `row-${line}`,
    sessionId: "session-1",
    line,
    status: "pending",
    outcome: null,
    waitingUntil: null,
    source: null,
    entry: null,
    certNumber: "01020688",
    gradingCompany: "PSA",
    ...recordOf(CARD_FIELDS, (field) => [field, null]),
    ...NO_POPULATION,
    price: null,
    priceText: "",
    customerPrice: "0.00",
    ownOffer: null,
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
    processedAt: null,
    ...fields,
  };
}

/** A found row with both images. */
export function aFoundRow(fields: Partial<ResultRow> = {}): ResultRow {
  return aRow({
    status: "completed",
    outcome: "found",
    source: "api",
    itemName: "1989 Upper Deck #1 Ken Griffey Jr.",
    player: "KEN GRIFFEY JR.",
    brand: "UPPER DECK",
    year: "1989",
    grade: "MINT 9",
    imageUrl: "https://images.example/front.jpg",
    imageUrlBack: "https://images.example/back.jpg",
    ...fields,
  });
}

/** A CardLadder price with twelve sales in the window, one of them an outlier. */
export function aPricing(fields: Partial<Pricing> = {}): Pricing {
  return {
    cardladderEstimate: 410,
    averagePrice: 401.25,
    medianPrice: 398,
    lastSalePrice: 420,
    priceTrend: "increasing",
    salesCount: 12,
    salesVelocity: { thirtyDay: 0.4 },
    priceRange: { low: 361.5, high: 440 },
    sampleSize: 11,
    newestSaleAt: "2026-11-19T00:00:00.000Z",
    confidence: 4,
    sparkline: [380, 372.5, 390, 401, 398, 420],
    fetchedAt: "2026-11-21T10:30:00.000Z",
    ...fields,
  };
}

export function aCardsiqPrice(fields: Partial<CardsiqPricing> = {}): CardsiqPricing {
  return {
    estimatedValue: 395,
    lastSalePrice: 415,
    confidence: 3,
    requiresReview: false,
    fetchedAt: "2026-11-21T10:30:02.000Z",
    ...fields,
  };
}

/** A found card with prices from both sources. */
export function aPricedRow(fields: Partial<ResultRow> = {}): ResultRow {
  return aFoundRow({
    pricing: aPricing(),
    cardsiq: aCardsiqPrice(),
    prices: { cardladder: { state: "priced", message: "" }, cardsiq: { state: "priced", message: "" } },
    ...fields,
  });
}

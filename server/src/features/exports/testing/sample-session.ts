import type { Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { StreamedRow } from "../../sessions/sessions.service.ts";

/** The header of a user's own sheet; one of its names is one of ours in another spelling. */
export const SAMPLE_HEADER = ["Cert #", "Company", "My GRADE", "grade", "Paid", "=SUM(A1)"];

export const SAMPLE_SESSION: ScanSession = {
  id: "5b0f9a52-3a47-4a0e-9a2b-6a7f8c3d2e10",
  sessionName: "Dallas",
  csvFilename: "dallas.csv",
  totalCards: 5,
  processedCards: 5,
  processingMode: "api",
  includePricing: false,
  status: "completed",
  isPartial: false,
  startedAt: "2026-11-21T08:00:00.000Z",
  completedAt: "2026-11-21T08:01:00.000Z",
  uploadDate: "2026-11-21T08:00:00.000Z",
  counts: { completed: 4, error: 1 },
  causes: { invalid_number: 1 },
  waits: [],
  prices: { pending: 0, waiting: 0, waits: [] },
  offerRule: { metric: "medianPrice", tiers: [{ from: 0, percent: 60 }], roundTo: 1, rounding: "down" },
  eventSeq: 7,
};

const BLANK: ResultRow = {
  id: "0",
  sessionId: SAMPLE_SESSION.id,
  line: 0,
  status: "completed",
  outcome: "found",
  waitingUntil: null,
  source: "api",
  entry: null,
  certNumber: "",
  gradingCompany: "PSA",
  itemName: null,
  player: null,
  year: null,
  language: "N/A",
  brand: null,
  cardNumber: null,
  grade: null,
  sport: null,
  variety: "N/A",
  graderNotes: "N/A",
  tagScore: "N/A",
  population: null,
  populationHigher: null,
  populationAsOf: null,
  imageUrl: "N/A",
  imageUrlBack: "N/A",
  certUrl: null,
  price: null,
  priceText: "",
  customerPrice: "0.00",
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
  processedAt: "2026-11-21T08:00:00.000Z",
};

const tigers: ResultRow = {
  ...BLANK,
  id: "1",
  line: 2,
  certNumber: "01020688",
  itemName: "1960 TOPPS #72 TIGERS TEAM",
  player: "TIGERS TEAM",
  year: "1960",
  brand: "TOPPS",
  cardNumber: "72",
  grade: "NM-MT 8",
  population: 123,
  populationHigher: 26,
  populationAsOf: "2026-11-21T08:00:00.000Z",
  sport: "BASEBALL CARDS",
  imageUrl: "https://images.example/cert/1/front.jpg",
  imageUrlBack: "https://images.example/cert/1/back.jpg",
  certUrl: "https://www.psacard.com/cert/01020688/psa",
  price: 1234.5,
  priceText: "1,234.50",
  customerPrice: "1357.95",
  ownOffer: null,
  inventoryName: "PSA NM-MT 8 1960 TOPPS #72 TIGERS TEAM",
  notes: '=HYPERLINK("http://evil.example")',
  warnings: ["Number repaired: leading zeros put back"],
  mismatches: ["your sheet: PSA 9, registry: NM-MT 8"],
};

const FETCHED_AT = "2026-11-21T08:00:00.000Z";
const PRICING: Pricing = {
  cardladderEstimate: 58.8,
  averagePrice: 57.25,
  medianPrice: 57.5,
  lastSalePrice: 61.07,
  priceTrend: "increasing",
  salesCount: 9,
  salesVelocity: { thirtyDay: 0.3 },
  priceRange: { low: 50, high: 64.99 },
  sampleSize: 8,
  newestSaleAt: "2026-11-19T03:59:01.000Z",
  confidence: 5,
  sparkline: [50, 57.5, 61.07],
  fetchedAt: FETCHED_AT,
};

const turtwig: ResultRow = {
  ...BLANK,
  id: "2",
  line: 3,
  gradingCompany: "CGC",
  certNumber: "1401019289294",
  itemName: "2022 VSTAR Universe #206/172 Turtwig",
  player: "Turtwig",
  year: "2022",
  language: "Japanese",
  brand: "VSTAR Universe",
  cardNumber: "206/172",
  grade: "10 PRISTINE",
  population: 0,
  populationAsOf: "2026-11-21T08:00:00.000Z",
  sport: "Pokémon",
  variety: "Art Rare Holo",
  imageUrl: "https://images.example/cert/2/front.webp",
  certUrl: "https://www.cgccards.com/certlookup/1401019289294/",
  price: 45,
  priceText: "45",
  customerPrice: "49.50",
  ownOffer: null,
  inventoryName: "CGC 10 PRISTINE 2022 VSTAR Universe #206/172 Turtwig",
  notes: 'line one\nline two; "quoted", 50 % & <more>',
  pricing: PRICING,
  cardsiq: { estimatedValue: 42, lastSalePrice: 61.07, confidence: 4, requiresReview: false, fetchedAt: FETCHED_AT },
  pricingThen: { ...PRICING, cardladderEstimate: 55, sparkline: [], fetchedAt: "2026-05-03T08:00:00.000Z" },
  prices: { cardladder: { state: "priced", message: "" }, cardsiq: { state: "priced", message: "" } },
};

const authentic: ResultRow = {
  ...BLANK,
  id: "4",
  line: 5,
  gradingCompany: "TAG",
  certNumber: "C1240631",
  itemName: "2023 A Very Long Set Name That Goes On And On #100 A Player With A Long Name Indeed Refractor",
  player: "A Player With A Long Name Indeed",
  year: "2023",
  brand: "A Very Long Set Name That Goes On And On",
  cardNumber: "100",
  grade: "AUTHENTIC AUTO 10",
  sport: "N/A",
  certUrl: "https://my.taggrading.com/card/C1240631",
  inventoryName: "TAG AUTHENTIC AUTO 10 2023 A Very Long Set Name",
  prices: {
    cardladder: { state: "none", message: "No CardLadder pricing data found for this card" },
    cardsiq: { state: null, message: "" },
  },
};

const damaged: ResultRow = {
  ...BLANK,
  id: "5",
  line: 6,
  status: "error",
  outcome: "invalid_number",
  source: null,
  certNumber: "1.45531E+08",
  itemName: "Error: 1.45531E+08",
  player: "Error",
  price: null,
  priceText: "twelve",
  notes: "Error: the digits are lost",
  error: "the digits are lost",
};

/** A session's rows: two found, one of them a duplicate, one without images or price, one that failed. */
export const SAMPLE_ROWS: readonly StreamedRow[] = [
  { row: tigers, cells: ["1020688", "PSA", "-", "9", "1,234.50", "=1+1"] },
  { row: turtwig, cells: ["1401019289294", "CGC", "--", "", "45", "'=quoted"] },
  { row: { ...tigers, id: "3", line: 4 }, cells: ["01020688", "psa", "", "", "", ""] },
  { row: authentic, cells: ["C1240631", "TAG"] },
  { row: damaged, cells: ["1.45531E+08", "PSA", "\t=2", "", "twelve", "", "beyond the header"] },
];

/** The rows in pages, as the database returns them. */
export async function* samplePages(): AsyncGenerator<StreamedRow[]> {
  yield SAMPLE_ROWS.slice(0, 2);
  yield SAMPLE_ROWS.slice(2);
}

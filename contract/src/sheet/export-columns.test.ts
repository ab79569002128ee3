import { describe, expect, it } from "vitest";
import { EXPORT_COLUMNS, SESSION_EXPORT_COLUMNS } from "./export-columns.ts";
import type { ResultRow } from "../api/results.ts";
import { defaultSessionName, resultsFileName, sessionFileName, TEMPLATE_FILE_NAME } from "./session-name.ts";

/** The specification's columns, copied verbatim. */
const SPEC_HEADER =
  "Item Name, Player/Character, Year, Language, Brand/Set, Card Number, Grade, Sport/Game, Variety, Grader Notes, Front Image URL, Back Image URL, Front / Back Images, Cert URL, Cert Number, Grading Company, Price, Customer Price, Inventory Name, Notes, CardLadder Estimate, Market Avg Price (30-Day), Market Median Price, Last Sale Price, Price Trend, Sales Count (30-Day), Sales Velocity (per day), Price Range Low, Price Range High, CardsIQ Estimate, CardsIQ Last Sale";

const row: ResultRow = {
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
  itemName: "1960 TOPPS #72 TIGERS TEAM",
  player: "TIGERS TEAM",
  year: "1960",
  language: "N/A",
  brand: "TOPPS",
  cardNumber: "72",
  grade: "NM-MT 8",
  sport: "BASEBALL CARDS",
  variety: "N/A",
  graderNotes: "N/A",
  tagScore: "N/A",
  population: 123,
  populationHigher: 26,
  populationAsOf: "2026-11-21T08:00:00.000Z",
  imageUrl: "https://images.example/front.jpg",
  imageUrlBack: "https://images.example/back.jpg",
  certUrl: "https://www.psacard.com/cert/01020688/psa",
  price: 12.5,
  priceText: "12.5",
  customerPrice: "13.75",
  ownOffer: null,
  inventoryName: "PSA NM-MT 8 1960 TOPPS #72 TIGERS TEAM",
  notes: "=HYPERLINK(1)",
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
};

const cellsOf = (row: ResultRow): string[] => EXPORT_COLUMNS.map((column) => column.cell(row));

describe("the results file", () => {
  it("has the specified 31 columns in order", () => {
    expect(EXPORT_COLUMNS.map((column) => column.header).join(", ")).toBe(SPEC_HEADER);
    expect(EXPORT_COLUMNS).toHaveLength(31);
  });

  it("the session file has no CardsIQ columns", () => {
    expect(SESSION_EXPORT_COLUMNS.map((column) => column.header)).toEqual(SPEC_HEADER.split(", ").slice(0, 29));
  });

  it("writes a row's values, with image URLs joined by a comma", () => {
    expect(cellsOf(row).slice(0, 20)).toEqual([
      "1960 TOPPS #72 TIGERS TEAM",
      "TIGERS TEAM",
      "1960",
      "N/A",
      "TOPPS",
      "72",
      "NM-MT 8",
      "BASEBALL CARDS",
      "N/A",
      "N/A",
      "https://images.example/front.jpg",
      "https://images.example/back.jpg",
      "https://images.example/front.jpg,https://images.example/back.jpg",
      "https://www.psacard.com/cert/01020688/psa",
      "01020688",
      "PSA",
      "12.5",
      "13.75",
      "PSA NM-MT 8 1960 TOPPS #72 TIGERS TEAM",
      "=HYPERLINK(1)",
    ]);
  });

  it("keeps a price that is not an amount as typed", () => {
    expect(cellsOf({ ...row, price: null, priceText: "twelve" })[16]).toBe("twelve");
  });
});

describe("file names", () => {
  const day = new Date(2026, 10, 21);
  it("follow the specification", () => {
    expect(defaultSessionName("dallas-show.csv", day)).toBe("dallas-show.csv - Nov 21, 2026");
    expect(resultsFileName(day)).toBe("card-grading-results-2026-11-21.csv");
    expect(TEMPLATE_FILE_NAME).toBe("card-grading-template.csv");
  });

  it.each([
    ["Dallas show 1/2", "Dallas show 1 2 - 2026-11-21.csv"],
    ["sample-certs.csv - Nov 20, 2026", "sample-certs - 2026-11-21.csv"],
    ["old.xlsx - 3/9/2026", "old - 2026-11-21.csv"],
    ["../../etc/passwd", "etc passwd - 2026-11-21.csv"],
    ["ポケモン", "ポケモン - 2026-11-21.csv"],
    ["///", "session - 2026-11-21.csv"],
  ])("turn %j into a file name", (name, expected) => {
    expect(sessionFileName(name, day)).toBe(expected);
  });
});

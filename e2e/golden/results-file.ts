import type { ExpectedCard } from "./expected-card.ts";
import { findBadRow, type SheetRow } from "./sample-sheet.ts";

/** The header of the results file, typed from the specification: 31 columns. */
export const RESULTS_HEADER = [
  "Item Name",
  "Player/Character",
  "Year",
  "Language",
  "Brand/Set",
  "Card Number",
  "Grade",
  "Sport/Game",
  "Variety",
  "Grader Notes",
  "Front Image URL",
  "Back Image URL",
  "Front / Back Images",
  "Cert URL",
  "Cert Number",
  "Grading Company",
  "Price",
  "Customer Price",
  "Inventory Name",
  "Notes",
  "CardLadder Estimate",
  "Market Avg Price (30-Day)",
  "Market Median Price",
  "Last Sale Price",
  "Price Trend",
  "Sales Count (30-Day)",
  "Sales Velocity (per day)",
  "Price Range Low",
  "Price Range High",
  "CardsIQ Estimate",
  "CardsIQ Last Sale",
];

/** The price in a sheet's cell, in dollars; null if it is not a number. */
export function dollarsOf(price: string): number | null {
  const digits = price.replaceAll(/[$,]/g, "");
  return /^\d+(?:\.\d+)?$/.test(digits) ? Number(digits) : null;
}

/** The customer price: 10 % more, to two decimals. */
export function customerPriceOf(price: string): string {
  const dollars = dollarsOf(price);
  return dollars === null ? "0.00" : (Math.round(Math.round(dollars * 100) * 1.1) / 100).toFixed(2);
}

/** No price metrics, because pricing was not requested. */
const NO_FIGURES = Array<string>(11).fill("");

/** A found card's line in the file. */
export function cardLine(row: SheetRow, card: ExpectedCard): string[] {
  const images = [card.imageUrl, card.imageUrlBack].filter((url) => url !== "N/A");
  return [
    card.itemName,
    card.player,
    card.year,
    card.language,
    card.brand,
    card.cardNumber,
    card.grade,
    card.sport,
    card.variety,
    card.graderNotes,
    card.imageUrl,
    card.imageUrlBack,
    images.length === 0 ? "N/A" : images.join(","),
    card.certUrl,
    card.certNumber,
    card.gradingCompany,
    priceCell(row.price),
    customerPriceOf(row.price),
    card.inventoryName,
    row.notes,
    ...NO_FIGURES,
  ];
}

/** A failed row's line: named after its number, with player "Error", "N/A" elsewhere, and the reason in the notes. */
export function errorLine(row: SheetRow): string[] {
  const missing = Array<string>(12).fill("N/A");
  return [
    `Error: ${row.certNumber || "N/A"}`,
    "Error",
    ...missing,
    row.certNumber,
    row.gradingCompany,
    priceCell(row.price),
    customerPriceOf(row.price),
    "N/A",
    `Error: ${findBadRow(row)?.message}`,
    ...NO_FIGURES,
  ];
}

/** A readable price as a number, anything else as typed. */
function priceCell(price: string): string {
  return String(dollarsOf(price) ?? price);
}

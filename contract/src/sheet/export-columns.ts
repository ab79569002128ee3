import { NOT_AVAILABLE, type ResultRow } from "../api/results.ts";

/** One column of the results file: its exact header and the text of a row's cell. */
type ExportColumn = { header: string; cell: (row: ResultRow) => string };

/** The 31 columns of the results file, in order, headers to the letter (SPEC section 3). */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  { header: "Item Name", cell: (row) => row.itemName ?? "" },
  { header: "Player/Character", cell: (row) => row.player ?? "" },
  { header: "Year", cell: (row) => row.year ?? "" },
  { header: "Language", cell: (row) => row.language ?? "" },
  { header: "Brand/Set", cell: (row) => row.brand ?? "" },
  { header: "Card Number", cell: (row) => row.cardNumber ?? "" },
  { header: "Grade", cell: (row) => row.grade ?? "" },
  { header: "Sport/Game", cell: (row) => row.sport ?? "" },
  { header: "Variety", cell: (row) => row.variety ?? "" },
  { header: "Grader Notes", cell: (row) => row.graderNotes ?? "" },
  { header: "Front Image URL", cell: (row) => row.imageUrl ?? "" },
  { header: "Back Image URL", cell: (row) => row.imageUrlBack ?? "" },
  { header: "Front / Back Images", cell: (row) => joinImages(row) },
  { header: "Cert URL", cell: (row) => row.certUrl ?? "" },
  { header: "Cert Number", cell: (row) => row.certNumber },
  { header: "Grading Company", cell: (row) => row.gradingCompany },
  { header: "Price", cell: (row) => (row.price === null ? row.priceText : String(row.price)) },
  { header: "Customer Price", cell: (row) => row.customerPrice },
  { header: "Inventory Name", cell: (row) => row.inventoryName ?? "" },
  { header: "Notes", cell: (row) => row.notes },
  { header: "CardLadder Estimate", cell: (row) => numberText(row.pricing?.cardladderEstimate) },
  { header: "Market Avg Price (30-Day)", cell: (row) => numberText(row.pricing?.averagePrice) },
  { header: "Market Median Price", cell: (row) => numberText(row.pricing?.medianPrice) },
  { header: "Last Sale Price", cell: (row) => numberText(row.pricing?.lastSalePrice) },
  { header: "Price Trend", cell: (row) => row.pricing?.priceTrend ?? "" },
  { header: "Sales Count (30-Day)", cell: (row) => numberText(row.pricing?.salesCount) },
  { header: "Sales Velocity (per day)", cell: (row) => numberText(row.pricing?.salesVelocity.thirtyDay) },
  { header: "Price Range Low", cell: (row) => numberText(row.pricing?.priceRange.low) },
  { header: "Price Range High", cell: (row) => numberText(row.pricing?.priceRange.high) },
  { header: "CardsIQ Estimate", cell: (row) => numberText(row.cardsiq?.estimatedValue) },
  { header: "CardsIQ Last Sale", cell: (row) => numberText(row.cardsiq?.lastSalePrice) },
];

/** The session file is the results file without the CardsIQ columns. */
export const SESSION_EXPORT_COLUMNS: readonly ExportColumn[] = EXPORT_COLUMNS.filter(
  (column) => !column.header.startsWith("CardsIQ"),
);

/** One row as cells that a spreadsheet shows as text and never runs. */
export function exportCells(columns: readonly ExportColumn[], row: ResultRow): string[] {
  return columns.map((column) => neutralizeFormula(column.cell(row)));
}

const FORMULA_START = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Makes a cell harmless: a spreadsheet runs text that starts with = + - @ or a control character. An apostrophe
 * before it shows the same text and runs nothing. Plain numbers keep their minus.
 */
export function neutralizeFormula(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

function joinImages(row: ResultRow): string {
  const images = [row.imageUrl, row.imageUrlBack].filter((url) => url !== null && url !== NOT_AVAILABLE);
  return images.length > 0 ? images.join(",") : (row.imageUrl ?? "");
}

function numberText(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

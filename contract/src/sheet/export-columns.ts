import type { CardField } from "../api/card-fields.ts";
import type { ResultRow } from "../api/results.ts";
import { NOT_AVAILABLE } from "../certs/not-available.ts";

/** A column's cell type in typed formats. Amounts are dollars; a number is any other number. */
export type ColumnKind = "text" | "amount" | "number" | "link" | "own";

export type ExportColumn = { header: string; kind: ColumnKind; cell: (row: ResultRow) => string };

/** The 31 columns of the results file, in order, with the specification's exact headers. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  cardColumn("Item Name", "itemName"),
  cardColumn("Player/Character", "player"),
  cardColumn("Year", "year"),
  cardColumn("Language", "language"),
  cardColumn("Brand/Set", "brand"),
  cardColumn("Card Number", "cardNumber"),
  cardColumn("Grade", "grade"),
  cardColumn("Sport/Game", "sport"),
  cardColumn("Variety", "variety"),
  cardColumn("Grader Notes", "graderNotes"),
  cardColumn("Front Image URL", "imageUrl", "link"),
  cardColumn("Back Image URL", "imageUrlBack", "link"),
  { header: "Front / Back Images", kind: "text", cell: (row) => joinImages(row) },
  cardColumn("Cert URL", "certUrl", "link"),
  { header: "Cert Number", kind: "text", cell: (row) => row.certNumber },
  { header: "Grading Company", kind: "text", cell: (row) => row.gradingCompany },
  { header: "Price", kind: "amount", cell: (row) => (row.price === null ? row.priceText : String(row.price)) },
  { header: "Customer Price", kind: "amount", cell: (row) => row.customerPrice },
  cardColumn("Inventory Name", "inventoryName"),
  { header: "Notes", kind: "text", cell: (row) => row.notes },
  { header: "CardLadder Estimate", kind: "amount", cell: (row) => numberText(row.pricing?.cardladderEstimate) },
  { header: "Market Avg Price (30-Day)", kind: "amount", cell: (row) => numberText(row.pricing?.averagePrice) },
  { header: "Market Median Price", kind: "amount", cell: (row) => numberText(row.pricing?.medianPrice) },
  { header: "Last Sale Price", kind: "amount", cell: (row) => numberText(row.pricing?.lastSalePrice) },
  { header: "Price Trend", kind: "text", cell: (row) => row.pricing?.priceTrend ?? "" },
  { header: "Sales Count (30-Day)", kind: "number", cell: (row) => numberText(row.pricing?.salesCount) },
  {
    header: "Sales Velocity (per day)",
    kind: "number",
    cell: (row) => numberText(row.pricing?.salesVelocity.thirtyDay),
  },
  { header: "Price Range Low", kind: "amount", cell: (row) => numberText(row.pricing?.priceRange.low) },
  { header: "Price Range High", kind: "amount", cell: (row) => numberText(row.pricing?.priceRange.high) },
  { header: "CardsIQ Estimate", kind: "amount", cell: (row) => numberText(row.cardsiq?.estimatedValue) },
  { header: "CardsIQ Last Sale", kind: "amount", cell: (row) => numberText(row.cardsiq?.lastSalePrice) },
];

export const SESSION_EXPORT_COLUMNS: readonly ExportColumn[] = EXPORT_COLUMNS.filter(
  (column) => !column.header.startsWith("CardsIQ"),
);

/** Columns that the specified files don't have: the population, and the day (UTC) on which it was read. */
export const POPULATION_COLUMNS: readonly ExportColumn[] = [
  { header: "Population", kind: "number", cell: (row) => numberText(row.population) },
  { header: "Population Higher", kind: "number", cell: (row) => numberText(row.populationHigher) },
  { header: "Population As Of", kind: "text", cell: (row) => row.populationAsOf?.slice(0, 10) ?? "" },
];

function cardColumn(header: string, field: CardField, kind: ColumnKind = "text"): ExportColumn {
  return { header, kind, cell: (row) => row[field] ?? "" };
}

function joinImages(row: ResultRow): string {
  const images = [row.imageUrl, row.imageUrlBack].filter((url) => url !== null && url !== NOT_AVAILABLE);
  return images.length > 0 ? images.join(",") : (row.imageUrl ?? "");
}

function numberText(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

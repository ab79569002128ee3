import type { CardField } from "../api/cards.ts";
import { type ResultRow, NOT_AVAILABLE } from "../api/results.ts";

/** A column's cell type in typed formats. Amounts are dollars; a number is any other number. */
export type ColumnKind = "text" | "amount" | "number" | "link" | "own";

export type ExportColumn = { header: string; kind: ColumnKind; cell: (row: ResultRow) => string };

/** The 31 columns of the results file, in order, with their exact headers (docs/conformance.md, 3.13). */
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
  { header: "Front / Back Images", kind: "text", cell: joinImages },
  cardColumn("Cert URL", "certUrl", "link"),
  { header: "Cert Number", kind: "text", cell: (row) => row.certNumber },
  { header: "Grading Company", kind: "text", cell: (row) => row.gradingCompany },
  { header: "Price", kind: "amount", cell: (row) => (row.price === null ? row.priceText : String(row.price)) },
  { header: "Customer Price", kind: "amount", cell: (row) => row.customerPrice },
  cardColumn("Inventory Name", "inventoryName"),
  { header: "Notes", kind: "text", cell: (row) => row.notes },
  numberColumn("CardLadder Estimate", "amount", (row) => row.pricing?.cardladderEstimate),
  numberColumn("Market Avg Price (30-Day)", "amount", (row) => row.pricing?.averagePrice),
  numberColumn("Market Median Price", "amount", (row) => row.pricing?.medianPrice),
  numberColumn("Last Sale Price", "amount", (row) => row.pricing?.lastSalePrice),
  { header: "Price Trend", kind: "text", cell: (row) => row.pricing?.priceTrend ?? "" },
  numberColumn("Sales Count (30-Day)", "number", (row) => row.pricing?.salesCount),
  numberColumn("Sales Velocity (per day)", "number", (row) => row.pricing?.salesVelocity.thirtyDay),
  numberColumn("Price Range Low", "amount", (row) => row.pricing?.priceRange.low),
  numberColumn("Price Range High", "amount", (row) => row.pricing?.priceRange.high),
  numberColumn("CardsIQ Estimate", "amount", (row) => row.cardsiq?.estimatedValue),
  numberColumn("CardsIQ Last Sale", "amount", (row) => row.cardsiq?.lastSalePrice),
];

export const SESSION_EXPORT_COLUMNS = EXPORT_COLUMNS.filter((column) => !column.header.startsWith("CardsIQ"));

/** Not among the 31 columns (docs/conformance.md, 3.13-01): the population, and the day (UTC) when it was read. */
export const POPULATION_COLUMNS: readonly ExportColumn[] = [
  numberColumn("Population", "number", (row) => row.population),
  numberColumn("Population Higher", "number", (row) => row.populationHigher),
  { header: "Population As Of", kind: "text", cell: (row) => row.populationAsOf?.slice(0, 10) ?? "" },
];

function cardColumn(header: string, field: CardField, kind: ColumnKind = "text"): ExportColumn {
  return { header, kind, cell: (row) => row[field] ?? "" };
}

export function joinImages({ imageUrl, imageUrlBack }: Pick<ResultRow, "imageUrl" | "imageUrlBack">): string {
  const images = [imageUrl, imageUrlBack].filter((url) => url && url !== NOT_AVAILABLE);
  return images.length > 0 ? images.join(",") : (imageUrl ?? "");
}

type NumberOf = (row: ResultRow) => number | null | undefined;

export function numberColumn(header: string, kind: "amount" | "number", numberOf: NumberOf): ExportColumn {
  return { header, kind, cell: (row) => String(numberOf(row) ?? "") };
}

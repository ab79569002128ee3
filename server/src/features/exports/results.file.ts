import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import {
  EXPORT_COLUMNS,
  POPULATION_COLUMNS,
  SESSION_EXPORT_COLUMNS,
  type ExportColumn,
} from "@slabdesk/contract/sheet/export-columns.ts";
import { tableOf, type Table } from "./table.file.ts";

export const textColumn = (header: string, cell: ExportColumn["cell"]): ExportColumn => ({
  header,
  kind: "text",
  cell,
});

function amountColumn(header: string, dollarsOf: (row: ResultRow) => number | null | undefined): ExportColumn {
  return { header, kind: "amount", cell: (row) => String(dollarsOf(row) ?? "") };
}

export const REMARK_COLUMNS: readonly ExportColumn[] = [
  textColumn("Changes", (row) => row.warnings.join("; ")),
  textColumn("Differences", (row) => row.mismatches.join("; ")),
];

/** The offer for a row in dollars. Null for a session without offers, whose files have no such column. */
export type OfferOfRow = ((row: ResultRow) => number | null) | null;

/**
 * Columns that the specified files don't have: the offer, when prices were fetched, the first prices, why prices are
 * missing, and how much the sources disagree.
 */
export function priceColumns(offer: OfferOfRow): readonly ExportColumn[] {
  return [
    ...(offer ? [amountColumn("Buy Offer", offer)] : []),
    textColumn("Prices Fetched", (row) => row.pricing?.fetchedAt ?? row.cardsiq?.fetchedAt ?? ""),
    amountColumn("CardLadder Estimate Then", (row) => row.pricingThen?.cardladderEstimate),
    amountColumn("CardsIQ Estimate Then", (row) => row.cardsiqThen?.estimatedValue),
    textColumn("Prices Then Fetched", (row) => row.pricingThen?.fetchedAt ?? row.cardsiqThen?.fetchedAt ?? ""),
    textColumn("Price Remarks", priceRemarks),
  ];
}

function priceRemarks(row: ResultRow): string {
  const disagreement = disagreementOf(row);
  const remarks = [
    disagreement ? `Sources disagree by ${disagreement.percent}%` : "",
    row.prices.cardladder.message,
    row.prices.cardsiq.message,
  ];
  return remarks.filter((message) => message !== "").join("; ");
}

/** The results file with 31 columns (docs/conformance.md, section 3.13). */
export const resultsTable: Table = tableOf(EXPORT_COLUMNS);

/** The session file: the same columns without CardsIQ. */
export const sessionTable: Table = tableOf(SESSION_EXPORT_COLUMNS);

/** The workbook: the 31 columns, the sheet line, the population, repairs, differences, and more price columns. */
export function workbookTable(offer: OfferOfRow): Table {
  return tableOf([
    ...EXPORT_COLUMNS,
    { header: "Line", kind: "number", cell: (row) => String(row.line) },
    ...POPULATION_COLUMNS,
    ...REMARK_COLUMNS,
    ...priceColumns(offer),
  ]);
}

import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { EXPORT_COLUMNS, SESSION_EXPORT_COLUMNS, type ExportColumn } from "@slabdesk/contract/sheet/export-columns.ts";
import { tableOf, type Table } from "./table.ts";

/** What was repaired, and what differs from the sheet; a cell each. */
export const REMARK_COLUMNS: readonly ExportColumn[] = [
  { header: "Changes", kind: "text", cell: (row) => row.warnings.join("; ") },
  { header: "Differences", kind: "text", cell: (row) => row.mismatches.join("; ") },
];

/**
 * What SPEC's files have no place for: when prices were fetched, what they were first, why there are none, how far the
 * sources are apart, and the offer where the session has a rule for it.
 */
export function priceColumns(offerRule: OfferRule | null): readonly ExportColumn[] {
  const offer: ExportColumn[] = offerRule
    ? [{ header: "Buy Offer", kind: "amount", cell: (row) => amountText(offerOf(offerRule, row)) }]
    : [];
  return [...offer, ...PRICE_COLUMNS];
}

const PRICE_COLUMNS: readonly ExportColumn[] = [
  { header: "Prices Fetched", kind: "text", cell: (row) => row.pricing?.fetchedAt ?? row.cardsiq?.fetchedAt ?? "" },
  {
    header: "CardLadder Estimate Then",
    kind: "amount",
    cell: (row) => amountText(row.pricingThen?.cardladderEstimate),
  },
  { header: "CardsIQ Estimate Then", kind: "amount", cell: (row) => amountText(row.cardsiqThen?.estimatedValue) },
  {
    header: "Prices Then Fetched",
    kind: "text",
    cell: (row) => row.pricingThen?.fetchedAt ?? row.cardsiqThen?.fetchedAt ?? "",
  },
  { header: "Price Remarks", kind: "text", cell: priceRemarks },
];

function priceRemarks(row: ResultRow): string {
  const disagreement = disagreementOf(row);
  const remarks = [
    disagreement ? `Sources disagree by ${disagreement.percent} %` : "",
    row.prices.cardladder.message,
    row.prices.cardsiq.message,
  ];
  return remarks.filter((message) => message !== "").join("; ");
}

function amountText(dollars: number | null | undefined): string {
  return dollars === null || dollars === undefined ? "" : String(dollars);
}

/** SPEC's results file: 31 columns. */
export const resultsTable: Table = tableOf(EXPORT_COLUMNS);

/** SPEC's session file: the same without CardsIQ. */
export const sessionTable: Table = tableOf(SESSION_EXPORT_COLUMNS);

/** The results as a workbook: the 31 columns, where each row comes from, what was noticed, and more of its price. */
export function workbookTable(offerRule: OfferRule | null): Table {
  return tableOf([
    ...EXPORT_COLUMNS,
    { header: "Line", kind: "figure", cell: (row) => String(row.line) },
    ...REMARK_COLUMNS,
    ...priceColumns(offerRule),
  ]);
}

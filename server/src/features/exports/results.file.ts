import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import type { ResultRow, RowStatus } from "@slabdesk/contract/api/results.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import {
  EXPORT_COLUMNS,
  numberColumn,
  POPULATION_COLUMNS,
  type ExportColumn,
} from "@slabdesk/contract/sheet/export-columns.ts";
import { plainName } from "@slabdesk/contract/sheet/header.ts";
import { tableOf, type Table } from "./table.file.ts";

function textColumn(header: string, cell: ExportColumn["cell"]): ExportColumn {
  return { header, kind: "text", cell };
}

const REMARK_COLUMNS: readonly ExportColumn[] = [
  textColumn("Changes", (row) => row.warnings.join("; ")),
  textColumn("Differences", (row) => row.mismatches.join("; ")),
];

/** The offer for a row in dollars. Null for a session without offers, whose files have no such column. */
export type OfferOfRow = ((row: ResultRow) => number | null) | null;

/** Columns besides those of docs/conformance.md, 3.13: the offer, the first prices, why prices are missing. */
function priceColumns(offer: OfferOfRow): readonly ExportColumn[] {
  return [
    ...(offer ? [numberColumn("Buy Offer", "amount", offer)] : []),
    textColumn("Prices Fetched", (row) => row.pricing?.fetchedAt ?? row.cardsiq?.fetchedAt ?? ""),
    numberColumn("CardLadder Estimate Then", "amount", (row) => row.pricingThen?.cardladderEstimate),
    numberColumn("CardsIQ Estimate Then", "amount", (row) => row.cardsiqThen?.estimatedValue),
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

/** Columns of the results file that the uploaded sheet already has. */
const BROUGHT = new Set(["Cert Number", "Grading Company", "Price", "Notes"]);

const STATUS_LABELS: Record<RowStatus, string> = {
  pending: "Not looked up",
  processing: "Being looked up",
  waiting: "Waiting",
  queued: "Queued for a retry",
  completed: "Completed",
  completed_retry: "Completed (Retried)",
  error: "Failed",
  failed: "Retry Failed",
};

const OUR_COLUMNS: readonly ExportColumn[] = [
  textColumn("Status", (row) => STATUS_LABELS[row.status]),
  textColumn("Outcome", outcomeMessage),
  ...EXPORT_COLUMNS.filter((column) => !BROUGHT.has(column.header)),
  ...POPULATION_COLUMNS,
  ...REMARK_COLUMNS,
];

/** The sheet as typed, then our columns. Cells beyond the header come last, so that they don't shift our columns. */
export function originalTable(header: readonly string[], offer: OfferOfRow): Table {
  const ourColumns = [...OUR_COLUMNS, ...priceColumns(offer)];
  const names = ["Repaired Cert Number", "Repaired Company", ...ourColumns.map((column) => column.header)];
  const kinds = ["text" as const, "text" as const, ...ourColumns.map((column) => column.kind)];
  const ours = namesBeside(header, names).map((name, index) => ({ header: name, kind: kinds[index] ?? "text" }));
  return {
    columns: [...header.map((name) => ({ header: name, kind: "own" as const })), ...ours],
    linesOf: ({ row, cells }) => {
      const own = header.map((_, index) => cells[index] ?? "");
      const repaired = [row.certNumber, row.gradingCompany].map((value) => (cells.includes(value) ? "" : value));
      return [[...own, ...repaired, ...ourColumns.map((column) => column.cell(row)), ...cells.slice(header.length)]];
    },
  };
}

/** Makes our column names unique among the sheet's own names and each other, for example "Grade (Slabdesk)". */
export function namesBeside(header: readonly string[], names: readonly string[]): string[] {
  const taken = new Set(header.map(plainName));
  return names.map((name) => {
    let own = name;
    for (let copy = 1; taken.has(plainName(own)); copy += 1)
      own = copy === 1 ? `${name} (Slabdesk)` : `${name} (Slabdesk ${copy})`;
    taken.add(plainName(own));
    return own;
  });
}

function outcomeMessage(row: ResultRow): string {
  if (row.outcome === null) return "";
  const { title } = OUTCOMES[row.outcome];
  if (row.error !== null) return `${title}: ${row.error}`;
  return row.outcome === "found" && row.entry ? `${title}, entered by hand by ${row.entry.by}` : title;
}

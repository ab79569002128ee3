import { EXPORT_COLUMNS, SESSION_EXPORT_COLUMNS, type ExportColumn } from "@slabdesk/contract/sheet/export-columns.ts";
import { tableOf, type Table } from "./table.ts";

/** What was repaired, and what differs from the sheet; a cell each. */
export const REMARK_COLUMNS: readonly ExportColumn[] = [
  { header: "Changes", kind: "text", cell: (row) => row.warnings.join("; ") },
  { header: "Differences", kind: "text", cell: (row) => row.mismatches.join("; ") },
];

/** SPEC's results file: 31 columns. */
export const resultsTable: Table = tableOf(EXPORT_COLUMNS);

/** SPEC's session file: the same without CardsIQ. */
export const sessionTable: Table = tableOf(SESSION_EXPORT_COLUMNS);

/** The results as a workbook: the 31 columns, and where each row comes from and what was noticed. */
export const workbookTable: Table = tableOf([
  ...EXPORT_COLUMNS,
  { header: "Line", kind: "figure", cell: (row) => String(row.line) },
  ...REMARK_COLUMNS,
]);

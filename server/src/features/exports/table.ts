import type { ColumnKind, ExportColumn } from "@slabdesk/contract/sheet/export-columns.ts";
import type { StreamedRow } from "../scans/scans.service.ts";

export type TableColumn = { header: string; kind: ColumnKind };

/** What a file of rows and columns holds, whoever writes it: the lines that each row of a session becomes. */
export type Table = {
  /** Lines before the header. */
  preface?: string[][];
  columns: readonly TableColumn[];
  linesOf: (row: StreamedRow) => string[][];
};

/** Columns whose cells are read from the row alone, a line for every row. */
export function tableOf(columns: readonly ExportColumn[]): Table {
  return { columns, linesOf: ({ row }) => [columns.map((column) => column.cell(row))] };
}

/** A file whose shop takes text only: named cells in the order of its header, the rest empty. */
export function shopTable(
  header: readonly string[],
  linesOf: (row: StreamedRow) => Record<string, string>[],
  preface: string[][] = [],
): Table {
  return {
    preface,
    columns: header.map((name) => ({ header: name, kind: "text" })),
    linesOf: (row) => linesOf(row).map((cells) => header.map((name) => cells[name] ?? "")),
  };
}

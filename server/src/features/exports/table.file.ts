import type { Readable } from "node:stream";
import { firstFound } from "@slabdesk/contract/market/listing-price.ts";
import type { ExportColumn } from "@slabdesk/contract/sheet/export-columns.ts";
import { streamCsv, type CsvForm } from "../../csv-stream.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";

export type TableColumn = Pick<ExportColumn, "header" | "kind">;

/** A table independent of its file format: the columns, and the lines that each session row produces. */
export type Table = {
  preface?: string[][];
  columns: readonly TableColumn[];
  linesOf: (row: StreamedRow) => string[][];
};

export function tableOf(columns: readonly ExportColumn[]): Table {
  return { columns, linesOf: ({ row }) => [columns.map((column) => column.cell(row))] };
}

/** Builds a text-only table for a shop. `linesOf` returns cells by header name; missing cells are empty. */
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

export async function* foundOnce(pages: AsyncIterable<StreamedRow[]>): AsyncGenerator<StreamedRow[]> {
  const isListed = firstFound();
  for await (const rows of pages) yield rows.filter(({ row }) => isListed(row));
}

export function csvFile(table: Table, pages: AsyncIterable<StreamedRow[]>, form: CsvForm): Readable {
  async function* lines(): AsyncGenerator<string[][]> {
    for await (const rows of pages) yield rows.flatMap(table.linesOf);
  }
  const header = table.columns.map((column) => column.header);
  return streamCsv([...(table.preface ?? []), header], lines(), form);
}

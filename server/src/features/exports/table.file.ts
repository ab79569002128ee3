import { Readable } from "node:stream";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { firstFound } from "@slabdesk/contract/market/listing-price.ts";
import type { ExportColumn } from "@slabdesk/contract/sheet/export-columns.ts";
import { inPieces, type Pause } from "../../concurrency/text-pieces.ts";
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

export function csvFile(table: Table, pages: AsyncIterable<StreamedRow[]>, form: CsvForm, pause?: Pause): Readable {
  async function* lines(): AsyncGenerator<Iterable<string[]>> {
    for await (const rows of pages) yield linesOf(table, rows);
  }
  const header = table.columns.map((column) => column.header);
  return streamCsv([...(table.preface ?? []), header], lines(), form, pause);
}

function* linesOf(table: Table, rows: readonly StreamedRow[]): Generator<string[]> {
  for (const row of rows) yield* table.linesOf(row);
}

/** Streams `{session, results: [...]}` as the API returns them, with one row per line. */
export function jsonFile(session: ScanSession, pages: AsyncIterable<StreamedRow[]>, pause?: Pause): Readable {
  async function* pieces(): AsyncGenerator<string> {
    yield `{"session":${JSON.stringify(session)},"results":[`;
    let before = "\n";
    function* texts(rows: readonly StreamedRow[]): Generator<string> {
      for (const { row } of rows) {
        yield before + JSON.stringify(row);
        before = ",\n";
      }
    }
    for await (const rows of pages) yield* inPieces(texts(rows), pause);
    yield "\n]}\n";
  }
  return Readable.from(pieces(), { objectMode: false });
}

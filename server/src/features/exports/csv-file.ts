import { Readable } from "node:stream";
import { formatCsvLines, type Delimiter } from "@slabdesk/contract/sheet/csv.ts";
import { neutralizeLine } from "@slabdesk/contract/sheet/safe-cells.ts";
import type { StreamedRow } from "../scans/scans.service.ts";
import type { Table } from "./table.ts";

const BYTE_ORDER_MARK = "\ufeff";

export type CsvForm = {
  delimiter: Delimiter;
  /** With it Excel reads the file as UTF-8; some shops stumble over it. */
  hasMark: boolean;
};

/** A table as CSV text, written while its rows are read. No cell of it runs as a formula, wherever a spreadsheet cuts it. */
export function csvFile(table: Table, pages: AsyncIterable<StreamedRow[]>, { delimiter, hasMark }: CsvForm): Readable {
  const write = (lines: readonly (readonly string[])[]): string => formatCsvLines(lines.map(neutralizeLine), delimiter);
  async function* pieces(): AsyncGenerator<string> {
    const header = table.columns.map((column) => column.header);
    yield (hasMark ? BYTE_ORDER_MARK : "") + write([...(table.preface ?? []), header]);
    for await (const rows of pages) {
      const lines = rows.flatMap(table.linesOf);
      if (lines.length > 0) yield write(lines);
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}

import { Readable } from "node:stream";
import { formatCsvLines, type Delimiter } from "@slabdesk/contract/sheet/csv.ts";
import { neutralizeLine } from "@slabdesk/contract/sheet/safe-cells.ts";

const BYTE_ORDER_MARK = "\ufeff";

export type CsvForm = {
  delimiter: Delimiter;
  /** With it Excel reads the file as UTF-8; some shops stumble over it. */
  hasMark: boolean;
};

/** For people's spreadsheets. */
export const SPREADSHEET: CsvForm = { delimiter: ",", hasMark: true };

/**
 * Lines as CSV text, written while they are read: when that breaks, the text breaks too. No cell of it runs as a formula,
 * wherever a spreadsheet cuts it.
 */
export function streamCsv(
  head: readonly (readonly string[])[],
  pages: AsyncIterable<readonly (readonly string[])[]>,
  { delimiter, hasMark }: CsvForm,
): Readable {
  const write = (lines: readonly (readonly string[])[]): string => formatCsvLines(lines.map(neutralizeLine), delimiter);
  async function* pieces(): AsyncGenerator<string> {
    yield (hasMark ? BYTE_ORDER_MARK : "") + write(head);
    for await (const lines of pages) if (lines.length > 0) yield write(lines);
  }
  return Readable.from(pieces(), { objectMode: false });
}

import { Readable } from "node:stream";
import { formatCsvLines } from "@slabdesk/contract/sheet/csv.ts";
import type { Delimiter } from "@slabdesk/contract/api/sheet-format.ts";
import { neutralizeLine } from "@slabdesk/contract/sheet/safe-cells.ts";

const BYTE_ORDER_MARK = "\ufeff";

export type CsvForm = {
  delimiter: Delimiter;
  /** Whether to write a byte order mark. Excel needs it to read UTF-8, but some shops reject it. */
  hasMark: boolean;
};

export const SPREADSHEET: CsvForm = { delimiter: ",", hasMark: true };

type Lines = readonly (readonly string[])[];

/** Streams lines as CSV while they are read. A read error breaks the stream. Formulas in cells are disarmed. */
export function streamCsv(head: Lines, pages: AsyncIterable<Lines>, { delimiter, hasMark }: CsvForm): Readable {
  const write = (lines: Lines): string => formatCsvLines(lines.map(neutralizeLine), delimiter);
  async function* pieces(): AsyncGenerator<string> {
    yield (hasMark ? BYTE_ORDER_MARK : "") + write(head);
    for await (const lines of pages) if (lines.length > 0) yield write(lines);
  }
  return Readable.from(pieces(), { objectMode: false });
}

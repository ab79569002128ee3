import { Readable } from "node:stream";
import type { Delimiter } from "@slabdesk/contract/api/sheet-format.ts";
import { formatCell } from "@slabdesk/contract/sheet/csv.ts";
import { lineGuard } from "@slabdesk/contract/sheet/safe-cells.ts";
import { inPieces, type Pause } from "./concurrency/text-pieces.ts";

const BYTE_ORDER_MARK = "\ufeff";

export type CsvForm = {
  delimiter: Delimiter;
  /** Whether to write a byte order mark. Excel needs it to read UTF-8, but some shops reject it. */
  hasMark: boolean;
};

export const SPREADSHEET: CsvForm = { delimiter: ",", hasMark: true };

const LONG_LINE = 20_000;

/** The cells of a line, or a finished line without its end. */
export type Line = readonly string[] | string;
type Lines = Iterable<Line>;

/** Streams lines as CSV while they are read. A read error breaks the stream. Formulas in cells are disarmed. */
export function streamCsv(
  head: Lines,
  pages: AsyncIterable<Lines>,
  { delimiter, hasMark }: CsvForm,
  pause?: Pause,
): Readable {
  async function* pieces(): AsyncGenerator<string> {
    if (hasMark) yield BYTE_ORDER_MARK;
    yield* inPieces(textsOf(head, delimiter), pause);
    for await (const lines of pages) yield* inPieces(textsOf(lines, delimiter), pause);
  }
  return Readable.from(pieces(), { objectMode: false });
}

function* textsOf(lines: Lines, delimiter: Delimiter): Generator<string> {
  for (const line of lines) {
    if (typeof line === "string") yield line;
    else yield* textsOfCells(line, delimiter);
    yield "\r\n";
  }
}

/** Yields a line, in several texts if it is long. */
function* textsOfCells(cells: readonly string[], delimiter: Delimiter): Generator<string> {
  const guarded = lineGuard();
  let text = "";
  let before = "";
  for (const cell of cells) {
    text += before + formatCell(guarded(cell), delimiter);
    before = delimiter;
    if (text.length < LONG_LINE) continue;
    yield text;
    text = "";
  }
  yield text;
}

import Papa from "papaparse";
import { findHeader, HEADER_LINES_SEARCHED } from "./header.ts";

/** A session holds at most this many rows (DESIGN section 5). */
export const MAX_SHEET_ROWS = 100_000;

export const PARSE_FAILURE_MESSAGE = "Error parsing CSV file. Please check the format.";

/** What may separate the cells of a sheet. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A sheet as lines of cells, before anything is known of its columns; all cells are text. */
export type CsvReading = { ok: true; delimiter: Delimiter; lines: string[][] } | { ok: false; message: string };

/**
 * Reads the text of a CSV file: separator found by itself, quotes respected. All cells stay text: no dynamic typing,
 * as it would turn "01020688" into a number. Empty lines stay, so that lines count as a spreadsheet counts them.
 */
export function parseCsv(text: string): CsvReading {
  const { content, declared } = declaredDelimiter(text.replace(/^\ufeff/, ""));
  const delimiter = declared ?? delimiterOf(content);
  const parsed = Papa.parse<string[]>(content, { skipEmptyLines: false, delimiter });
  const broken = parsed.errors.find((error) => error.type === "Quotes");
  if (broken) {
    const line = lineOf(content, parsed.data, broken.row ?? 0);
    return {
      ok: false,
      message: `${PARSE_FAILURE_MESSAGE} The quotation mark that opens a cell in line ${line} is not closed as it should be. Delete it, or close it at the end of the cell, and upload again.`,
    };
  }
  return { ok: true, delimiter, lines: declared === null ? parsed.data : [[], ...parsed.data] };
}

/** Excel writes the separator into a line of its own, "sep=;", where it is not the country's. */
function declaredDelimiter(content: string): { content: string; declared: Delimiter | null } {
  const first = /^"?sep=(.)"?(?:\r\n|\r|\n)/i.exec(content);
  const declared = DELIMITERS.find((delimiter) => delimiter === first?.[1]) ?? null;
  return { content: declared === null ? content : content.slice(first?.[0].length), declared };
}

/** In which line of the file a record begins; its cells may hold line ends of their own. */
function lineOf(content: string, records: readonly string[][], record: number): number {
  const before = records.slice(0, record);
  const inside = before.flat().reduce((count, cell) => count + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
  return Math.min(before.length + inside + 1, content.split(/\r\n|\r|\n/).length);
}

/**
 * The separator with which the header names the most of our columns; where none does, the one that cuts the first
 * lines into the most cells of one number; the comma when there is nothing to cut.
 */
function delimiterOf(content: string): Delimiter {
  const readings = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(content, { delimiter, preview: HEADER_LINES_SEARCHED });
    const match = findHeader(data);
    const header = match ? data[match.headerLine] : undefined;
    const named = match ? Object.keys(match.columns).length : 0;
    return { delimiter, named, cells: header?.length ?? 0, evenCells: evenCells(data) };
  });
  const best = readings.toSorted((a, b) => b.named - a.named || b.cells - a.cells || b.evenCells - a.evenCells)[0];
  return best && (best.named > 0 || best.evenCells > 1) ? best.delimiter : ",";
}

/** How many cells most of the filled lines have. */
function evenCells(lines: readonly string[][]): number {
  const widths = lines.filter((cells) => cells.some((cell) => cell.trim() !== "")).map((cells) => cells.length);
  const usual = widths.toSorted((a, b) => countOf(widths, b) - countOf(widths, a))[0] ?? 0;
  return countOf(widths, usual) * 2 > widths.length ? usual : 0;
}

function countOf(numbers: readonly number[], wanted: number): number {
  return numbers.filter((number) => number === wanted).length;
}

/**
 * Turns a file's bytes into text: UTF-8 (with or without mark), UTF-16 (with mark, or known by its zero bytes), else
 * Windows-1252 as Excel saves it.
 */
export function decodeSheet(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = bytes.subarray(0, 400);
  const zeros = (odd: number): number => start.filter((byte, at) => at % 2 === odd && byte === 0).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (start.length < 4 || bytes.length % 2 === 1) return null;
  if (odd > start.length / 4 && even === 0) return "utf-16le";
  return even > start.length / 4 && odd === 0 ? "utf-16be" : null;
}

/** Writes lines as CSV text with a byte-order mark, so that Excel reads it as UTF-8. */
export function formatCsv(lines: readonly (readonly string[])[], delimiter: Delimiter = ","): string {
  return `\ufeff${formatCsvLines(lines, delimiter)}`;
}

/** Writes lines without the mark, each ended by CRLF; for files that are streamed in pieces. */
export function formatCsvLines(lines: readonly (readonly string[])[], delimiter: Delimiter = ","): string {
  return lines.length === 0
    ? ""
    : `${Papa.unparse(
        lines.map((cells) => [...cells]),
        { newline: "\r\n", delimiter },
      )}\r\n`;
}

import { DELIMITERS, type Delimiter, type Lines, MAX_SHEET_COLUMNS } from "../api/sheet-format.ts";
import { isCertLike } from "./content.ts";
import { cutCells } from "./csv-cells.ts";
import { findHeader, HEADER_LINES_SEARCHED } from "./header.ts";

export const PARSE_FAILURE_MESSAGE = "Error parsing CSV file. Please check the format.";

/** A sheet as lines of cells, before its columns are known. All cells are text. */
export type CsvReading = { ok: true; delimiter: Delimiter; lines: string[][] } | { ok: false; message: string };

/** Detects the delimiter. All cells stay text. Empty lines stay, so that line numbers match the spreadsheet's. */
export function parseCsv(text: string): CsvReading {
  const { content, declared } = declaredDelimiter(text.replace(/^\ufeff/, ""));
  const delimiter = declared ?? delimiterOf(content);
  const { lines, openLine } = cutCells(content, delimiter);
  const linesBefore = declared === null ? 0 : 1;
  if (openLine !== null) return { ok: false, message: openQuoteMessage(openLine + linesBefore) };
  const before: string[][] = Array.from({ length: linesBefore }, () => []);
  return { ok: true, delimiter, lines: [...before, ...unwrapLines(lines, delimiter)] };
}

/** The message for a quotation mark that isn't closed, or whose cell contains other rows. */
export function openQuoteMessage(line: number): string {
  return `${PARSE_FAILURE_MESSAGE} The quotation mark that opens a cell in line ${line} is not closed correctly. Delete it, or close it at the end of the cell, and upload again.`;
}

/** Excel writes the delimiter into a line of its own, "sep=;", if it isn't the regional default. */
function declaredDelimiter(content: string): { content: string; declared: Delimiter | null } {
  const first = /^"?sep=(.)"?(?:\r\n|\r|\n)/i.exec(content);
  const declared = DELIMITERS.find((delimiter) => delimiter === first?.[1]) ?? null;
  return { content: declared === null ? content : content.slice(first?.[0].length), declared };
}

/** The delimiter with the most known column names, then header cells, then cert numbers; by default the comma. */
function delimiterOf(content: string): Delimiter {
  const readings = DELIMITERS.map((delimiter) => {
    const lines = unwrapLines(cutCells(content, delimiter, HEADER_LINES_SEARCHED).lines, delimiter);
    const match = findHeader(lines);
    const header = match ? lines[match.headerLine] : undefined;
    const named = match ? Object.keys(match.columns).length : 0;
    const certs = lines.flatMap((cells) => cells.slice(0, MAX_SHEET_COLUMNS).filter(isCertLike)).length;
    return { delimiter, named, cells: header?.length ?? 0, certs, evenCells: usualWidth(lines) };
  });
  const best = readings.toSorted(
    (a, b) => b.named - a.named || b.cells - a.cells || b.certs - a.certs || b.evenCells - a.evenCells,
  )[0];
  return best && (best.named > 0 || best.certs > 0 || best.evenCells > 1) ? best.delimiter : ",";
}

/**
 * Unquotes lines that are quoted as a whole ("98174651,PSA,120"). A spreadsheet writes such lines if it read each line
 * as one cell. A cell that only contains the delimiter is unchanged: the sheet must be wider than that cell.
 */
function unwrapLines(lines: string[][], delimiter: Delimiter): string[][] {
  if (!lines.some((cells) => isWrapped(cells, delimiter))) return lines;
  const unwrapped = lines.map((cells) => (isWrapped(cells, delimiter) ? unwrap(cells, delimiter) : cells));
  const first = unwrapped.slice(0, HEADER_LINES_SEARCHED);
  const header = findHeader(first);
  const width = header ? (first[header.headerLine]?.length ?? 0) : usualWidth(first);
  return width > 1 ? unwrapped : lines;
}

function isWrapped(cells: readonly string[], delimiter: Delimiter): boolean {
  return cells.length === 1 && (cells[0] ?? "").includes(delimiter);
}

function unwrap(cells: string[], delimiter: Delimiter): string[] {
  const { lines, openLine } = cutCells(cells[0] ?? "", delimiter);
  const [only, ...others] = lines;
  return only !== undefined && others.length === 0 && openLine === null ? only : cells;
}

function usualWidth(lines: Lines): number {
  const widths = lines.filter((cells) => cells.some((cell) => cell.trim() !== "")).map((cells) => cells.length);
  const usual = widths.toSorted((a, b) => countOf(widths, b) - countOf(widths, a))[0] ?? 0;
  return countOf(widths, usual) * 2 > widths.length ? usual : 0;
}

function countOf(numbers: readonly number[], wanted: number): number {
  return numbers.filter((number) => number === wanted).length;
}

/** Decodes UTF-8, UTF-16, or Windows-1252 as saved by Excel. A mix of the last and UTF-8 is decoded line by line. */
export function decodeSheet(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return decodeLines(bytes);
  }
}

const LINE_FEED = 10;
const REPLACEMENT = "\ufffd";

function decodeLines(bytes: Uint8Array): string {
  const utf8 = new TextDecoder("utf-8");
  const windows = new TextDecoder("windows-1252");
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed + 1;
    const line = bytes.subarray(start, end);
    const text = utf8.decode(line);
    lines.push(text.includes(REPLACEMENT) ? windows.decode(line) : text);
    start = end;
  }
  return lines.join("");
}

/** Most characters are below U+0100, so about every second byte of UTF-16 is zero, and few of the others. */
function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = bytes.subarray(0, 400);
  const zeros = (odd: number): number => start.filter((byte, at) => at % 2 === odd && byte === 0).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (start.length < 4) return null;
  if (odd > start.length / 4 && even < odd / 4) return "utf-16le";
  return even > start.length / 4 && odd < even / 4 ? "utf-16be" : null;
}

/** Formats lines as CSV with a byte-order mark, so that Excel reads UTF-8. */
export function formatCsv(lines: Lines, delimiter: Delimiter = ","): string {
  return `\ufeff${formatCsvLines(lines, delimiter)}`;
}

/** Formats lines without a byte-order mark. Each line ends in CRLF. */
export function formatCsvLines(lines: Lines, delimiter: Delimiter = ","): string {
  return lines.map((cells) => `${cells.map((cell) => formatCell(cell, delimiter)).join(delimiter)}\r\n`).join("");
}

/** Quotes cells with special characters, and cells with leading or trailing white space, which some readers trim. */
export function formatCell(cell: string, delimiter: Delimiter): string {
  const isQuoted = cell.includes(delimiter) || /["\r\n]/.test(cell) || cell.trim().length < cell.length;
  return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
}

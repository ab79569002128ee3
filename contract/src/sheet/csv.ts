import Papa from "papaparse";
import { findHeader, HEADER_LINES_SEARCHED, type SheetField } from "./header.ts";
import type { SheetRow } from "./row.ts";

/** A session holds at most this many rows (DESIGN section 5). */
export const MAX_SHEET_ROWS = 100_000;

export const PARSE_FAILURE_MESSAGE = "Error parsing CSV file. Please check the format.";

export type Sheet = { header: string[]; rows: SheetRow[] };
export type SheetReading = { ok: true; sheet: Sheet } | { ok: false; message: string };

/**
 * Reads the text of a CSV file: separator found by itself (comma, semicolon, tab, bar), quotes respected, empty
 * lines skipped, the header found among the first lines. All cells stay text: no dynamic typing, as it would turn
 * "01020688" into a number.
 */
export function parseSheet(text: string): SheetReading {
  const content = text.replace(/^\ufeff/, "");
  const parsed = Papa.parse<string[]>(content, { skipEmptyLines: false, delimiter: separatorOf(content) });
  const broken = parsed.errors.find((error) => error.type === "Quotes");
  if (broken) {
    return {
      ok: false,
      message: `${PARSE_FAILURE_MESSAGE} A quotation mark is not closed, near line ${(broken.row ?? 0) + 1}.`,
    };
  }
  const match = findHeader(parsed.data);
  if (!match) {
    return {
      ok: false,
      message: `${PARSE_FAILURE_MESSAGE} No column is named CertNumber; download the template to see the four columns.`,
    };
  }

  const rows: SheetRow[] = [];
  for (const [index, cells] of parsed.data.entries()) {
    if (index <= match.headerLine || cells.every((cell) => cell.trim() === "")) continue;
    const cellOf = (field: SheetField): string => cells[match.columns[field] ?? -1] ?? "";
    rows.push({
      line: index + 1,
      cells,
      certNumber: cellOf("certNumber"),
      gradingCompany: cellOf("gradingCompany"),
      price: cellOf("price"),
      notes: cellOf("notes"),
    });
  }
  if (rows.length === 0)
    return { ok: false, message: "The file has a header but no rows. Add one certificate a line and upload it again." };
  if (rows.length > MAX_SHEET_ROWS) {
    return {
      ok: false,
      message: `The file has ${rows.length} rows; one session takes ${MAX_SHEET_ROWS}. Split it and upload the parts.`,
    };
  }
  return { ok: true, sheet: { header: match.header, rows } };
}

/** What may separate the cells of a sheet. */
export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The separator with which the header names the most of our columns; the comma when none does. */
function separatorOf(content: string): string {
  const readings = DELIMITERS.map((separator) => {
    const { data } = Papa.parse<string[]>(content, { delimiter: separator, preview: HEADER_LINES_SEARCHED });
    const match = findHeader(data);
    return { separator, named: match ? Object.keys(match.columns).length : 0, cells: match?.header.length ?? 0 };
  });
  const best = readings.toSorted((a, b) => b.named - a.named || b.cells - a.cells)[0];
  return best && best.named > 0 ? best.separator : ",";
}

/** Turns a file's bytes into text: UTF-8 (with or without mark), UTF-16 with mark, else Windows-1252 as Excel saves it. */
export function decodeSheet(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Writes lines as CSV text with a byte-order mark, so that Excel reads it as UTF-8. */
export function formatCsv(lines: readonly (readonly string[])[]): string {
  return `\ufeff${formatCsvLines(lines)}`;
}

/** Writes lines without the mark, each ended by CRLF; for files that are streamed in pieces. */
export function formatCsvLines(lines: readonly (readonly string[])[]): string {
  return lines.length === 0
    ? ""
    : `${Papa.unparse(
        lines.map((cells) => [...cells]),
        { newline: "\r\n" },
      )}\r\n`;
}

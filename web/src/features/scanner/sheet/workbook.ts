import type { CellObject, WorkSheet } from "@e965/xlsx";
import { MAX_SHEET_ROWS } from "@slabdesk/contract/sheet/csv.ts";
import { unpackedSize } from "./zip-size.ts";

/** A sheet of a workbook as lines of cells; all cells are text. */
export type Table = { name: string; lines: string[][] };

/** A workbook as its sheets that hold anything, or words for staff on why it cannot be read and what to do. */
export type WorkbookReading = { ok: true; tables: Table[] } | { ok: false; message: string };

/** What a workbook of 100,000 rows and forty columns unpacks to, twice. More is no list of cards. */
const MOST_UNPACKED_BYTES = 300_000_000;
/** Rows beyond a session's limit are counted, so that it can be said, but not for ever. */
const MOST_ROWS = 2 * MAX_SHEET_ROWS;

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The container of .xls and of workbooks with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];
/** "<html" and "<?xml", which shops and old programs name .xls. */
const MARKUP = /^[\ufeff\s]*<[!?a-z]/i;

/** Whether a file's bytes are a workbook's, whatever its name says. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, ZIP) || startsWith(bytes, COMPOUND) || MARKUP.test(latin(bytes.subarray(0, 200)));
}

/** Reads all sheets of an XLSX or XLS file. The reader is large and loaded with the first workbook. */
export async function readWorkbook(fileName: string, bytes: Uint8Array): Promise<WorkbookReading> {
  const refused = (what: string): WorkbookReading => ({ ok: false, message: `“${fileName}” ${what}` });
  if (startsWith(bytes, ZIP)) {
    const size = unpackedSize(bytes);
    if (size === null) return refused(BROKEN);
    if (size > MOST_UNPACKED_BYTES) return refused(TOO_LARGE);
  } else if (isEncrypted(bytes)) return refused(LOCKED);

  const { read } = await import("@e965/xlsx");
  let book: ReturnType<typeof read>;
  try {
    book = read(bytes, {
      type: "array",
      dense: true,
      cellDates: true,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
      raw: true,
      sheetRows: MOST_ROWS,
    });
  } catch (error) {
    // The reader throws plain errors of its own for whatever it does not understand.
    if (!(error instanceof Error)) throw error;
    return refused(BROKEN);
  }
  const tables = book.SheetNames.flatMap((name, index) => {
    const isHidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0;
    const sheet = book.Sheets[name];
    return isHidden || sheet === undefined ? [] : [{ name, lines: linesOf(sheet) }];
  }).filter(({ lines }) => lines.length > 0);
  return tables.length === 0 ? refused(EMPTY) : { ok: true, tables };
}

const BROKEN =
  "cannot be opened: it is damaged, not a workbook, or protected. Open it in Excel or Google Sheets, save it as XLSX or CSV, and choose that file.";
const TOO_LARGE =
  "unpacks to more than a browser should hold. Save the sheet with the certificate numbers as CSV and choose that file.";
const LOCKED =
  "is protected by a password. Open it in Excel, remove the password under File, Info, Protect Workbook, save it, and choose it again.";
const EMPTY = "is empty. Fill in the template and upload it.";

function linesOf(sheet: WorkSheet): string[][] {
  const rows = sheet["!data"] ?? [];
  const lines = Array.from(rows, (cells: CellObject[] | undefined) =>
    withoutEmptyEnd(
      Array.from(cells ?? [], (cell: CellObject | undefined) => (cell ? cellText(cell) : "")),
      (text) => text === "",
    ),
  );
  return withoutEmptyEnd(lines, (cells) => cells.length === 0);
}

/** Formatting alone makes cells: a sheet may be a million empty lines long. */
function withoutEmptyEnd<T>(list: T[], isEmpty: (item: T) => boolean): T[] {
  return list.slice(0, list.findLastIndex((item) => !isEmpty(item)) + 1);
}

/** What a person reads in a cell, but for numbers: those keep their digits however narrow their column is. */
function cellText({ t: type, v: value, w: shown = "", z: format }: CellObject): string {
  if (type === "s") return typeof value === "string" ? value : shown;
  if (type !== "n" || typeof value !== "number") return shown;
  if (isPadded(String(format ?? ""))) return shown;
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(DIGITS_KEPT)));
  return Math.abs(value) < 10 ** DIGITS_KEPT ? String(value) : shown;
}

/** Excel keeps that many digits; those of a longer number are lost, and its display says so. */
const DIGITS_KEPT = 15;

/** A format that writes zeros before a number, as "00000000" does, shows what the person who chose it means. */
function isPadded(format: string): boolean {
  const [first = ""] = format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, "").split(";");
  const [whole = ""] = first.split(".");
  return !/E[+-]/i.test(first) && (whole.match(/0/g)?.length ?? 0) > 1;
}

/** Office writes a workbook with a password into a container of which one part is named so, in UTF-16. */
function isEncrypted(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, COMPOUND)) return false;
  return latin(bytes).includes("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e");
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/** Byte for byte, which is all that is asked of it. */
function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

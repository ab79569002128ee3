import type { CellObject } from "@e965/xlsx";
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "@slabdesk/contract/api/sheet-format.ts";

export type Table = { name: string; lines: string[][] };

/** A workbook's nonempty sheets, or a message that says why it can't be read and what to do. */
export type WorkbookReading = { ok: true; tables: Table[] } | { ok: false; message: string };

/** Twice the unpacked size of a workbook with 100,000 rows and forty columns. No card list is larger. */
const MOST_UNPACKED_BYTES = 300_000_000;
/** Counts rows beyond the session limit for the error message, up to this bound. */
const MOST_ROWS = 2 * MAX_SHEET_ROWS;
/** A hundred columns on each line. Rows with one cell far to the right are small in the file and large in memory. */
const MOST_CELLS = 100 * MOST_ROWS;

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** The container of .xls files and of password-protected workbooks. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];
/** "<html" and "<?xml": some stores and old programs give such files the extension .xls. */
const MARKUP = /^[\ufeff\s]*<[!?a-z]/i;

/** True if the bytes are a workbook's, whatever the file name. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, ZIP) || startsWith(bytes, COMPOUND) || MARKUP.test(latin(bytes.subarray(0, 200)));
}

/** Reads all sheets of an XLSX or XLS file. Loads the reader, which is large, with the first workbook. */
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
    // The reader throws plain errors for anything it can't parse.
    if (!(error instanceof Error)) throw error;
    return refused(BROKEN);
  }
  const sheets = book.SheetNames.flatMap((name, index) => {
    const isHidden = (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0;
    const rows = book.Sheets[name]?.["!data"];
    return isHidden || rows === undefined ? [] : [{ name, rows: Array.from(rows, rowOf) }];
  });
  const cellCount = sheets.flatMap(({ rows }) => rows).reduce((sum, { length }) => sum + length, 0);
  if (cellCount > MOST_CELLS) return refused(TOO_LARGE);
  const tables = sheets
    .map(({ name, rows }) => ({ name, lines: linesOf(rows) }))
    .filter(({ lines }) => lines.length > 0);
  return tables.length === 0 ? refused(EMPTY) : { ok: true, tables };
}

const BROKEN =
  "cannot be opened: it is damaged, not a workbook, or protected. Open it in Excel or Google Sheets, save it as XLSX or CSV, and choose that file.";
const TOO_LARGE =
  "is too large to open in a browser. Save the sheet with the cert numbers as CSV and choose that file.";
const LOCKED =
  "is protected by a password. Open it in Excel, remove the password under File, Info, Protect Workbook, save it, and choose it again.";
const EMPTY = "is empty. Fill in the template and upload it.";

/** A line's cells. The reader leaves out empty ones. */
const rowOf = (cells: CellObject[] | undefined): CellObject[] => cells?.slice(0, MAX_SHEET_COLUMNS) ?? [];

function linesOf(rows: readonly CellObject[][]): string[][] {
  const lines = rows.map((cells) =>
    withoutEmptyEnd(
      Array.from(cells, (cell: CellObject | undefined) => (cell ? cellText(cell) : "")),
      (text) => text === "",
    ),
  );
  return withoutEmptyEnd(lines, (cells) => cells.length === 0);
}

/** Formatting alone creates cells: a sheet can have a million empty lines. */
function withoutEmptyEnd<T>(list: T[], isEmpty: (item: T) => boolean): T[] {
  return list.slice(0, list.findLastIndex((item) => !isEmpty(item)) + 1);
}

/** The displayed text of a cell. Numbers keep all digits, however narrow the column is. */
function cellText({ t: type, v: value, w: shown = "", z: format }: CellObject): string {
  if (type === "s") return typeof value === "string" ? value : shown;
  if (type !== "n" || typeof value !== "number") return shown;
  if (isPadded(String(format ?? ""))) return shown;
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(DIGITS_KEPT)));
  return Math.abs(value) < 10 ** DIGITS_KEPT ? String(value) : shown;
}

/** Excel's precision in digits. A longer number has lost its last digits; its displayed text shows that. */
const DIGITS_KEPT = 15;

/** True for a format such as "00000000". The displayed text is then the intended value. */
function isPadded(format: string): boolean {
  const [first = ""] = format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, "").split(";");
  const [whole = ""] = first.split(".");
  return !/E[+-]/i.test(first) && (whole.match(/0/g)?.length ?? 0) > 1;
}

/** Office stores a password-protected workbook in a container with an entry of this name, in UTF-16. */
function isEncrypted(bytes: Uint8Array): boolean {
  return startsWith(bytes, COMPOUND) && latin(bytes).includes("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e");
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

const END_OF_DIRECTORY = "PK\u0005\u0006";
/** The end record. Only a comment of at most 65,535 bytes may follow it. */
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;

/** The unpacked size of a ZIP file in bytes, from its directory; null without one. A 64-bit size is infinite. */
export function unpackedSize(bytes: Uint8Array): number | null {
  const tail = bytes.subarray(-END_LENGTH - LONGEST_COMMENT);
  const found = latin(tail).lastIndexOf(END_OF_DIRECTORY, tail.length - END_LENGTH);
  if (found === -1) return null;
  const end = bytes.length - tail.length + found;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let size = 0;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + ENTRY_LENGTH > view.byteLength || view.getUint32(at, true) !== ENTRY) return null;
    const unpacked = view.getUint32(at + 24, true);
    size += unpacked === 0xffffffff ? Number.POSITIVE_INFINITY : unpacked;
    at += ENTRY_LENGTH + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return size;
}

import { decodeSheet, PARSE_FAILURE_MESSAGE, parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import type { Delimiter } from "@slabdesk/contract/api/sheet-format.ts";
import { HEADER_LINES_SEARCHED } from "@slabdesk/contract/sheet/header.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import {
  otherKindOf,
  readCsvLines,
  readSheet,
  type SheetMapping,
  type SheetReading,
} from "@slabdesk/contract/sheet/sheet.ts";
import { headerKey, type RememberedSheets } from "./remembered-sheets.ts";
import { pastedLines, PASTED_NAME } from "./pasted-lines.ts";
import { isWorkbook, readWorkbook, type Table } from "./workbook.ts";

export type SheetSource = { kind: "file"; file: File } | { kind: "text"; text: string };

export type OpenedSource = { name: string; form: SheetForm; tables: Table[] };

/** The cell separator, and whether the source is text, whose quotes may be unbalanced. */
export type SheetForm = { delimiter: Delimiter; isText: boolean };
const WORKBOOK: SheetForm = { delimiter: ",", isText: false };
const PASTED: SheetForm = { delimiter: "\t", isText: false };
export type Opening = { ok: true; opened: OpenedSource } | { ok: false; message: string };

/** One table of the session: its lines and how they were read. */
export type Part = {
  /** The display name: the file, plus the sheet if several sheets of one workbook are used. */
  name: string;
  form: SheetForm;
  lines: string[][];
  reading: SheetReading;
  isRemembered: boolean;
  /** No row names its company, so the numbers may tell it. */
  isBare: boolean;
  /** The companies that the user has chosen, by line. The sheet's own cells stay as typed. */
  companies: ReadonlyMap<number, string>;
};

/** The text of a larger file wouldn't fit into a string. */
const MOST_FILE_BYTES = 200_000_000;

export async function openSource(source: SheetSource): Promise<Opening> {
  if (source.kind === "text") return { ok: true, opened: tableOf(PASTED_NAME, PASTED, pastedLines(source.text)) };
  const { file } = source;
  if (file.size > MOST_FILE_BYTES)
    return { ok: false, message: "The file is larger than 200 MB. Keep the columns you need, or split it." };
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return { ok: false, message: `${PARSE_FAILURE_MESSAGE} The file couldn't be opened. Choose it again.` };
  }
  if (isWorkbook(bytes)) {
    const workbook = await readWorkbook(file.name, bytes);
    return workbook.ok ? { ok: true, opened: { name: file.name, form: WORKBOOK, tables: workbook.tables } } : workbook;
  }
  if (WORKBOOK_NAME.test(file.name)) return { ok: false, message: `“${file.name}” isn't a workbook. ${SAVE_AGAIN}` };
  const text = decodeSheet(bytes);
  const other = otherKindOf(text);
  if (other !== null) return { ok: false, message: `“${file.name}” can't be read. ${other}` };
  const csv = parseCsv(text);
  if (!csv.ok) return csv;
  return { ok: true, opened: tableOf(file.name, { delimiter: csv.delimiter, isText: true }, csv.lines) };
}

const WORKBOOK_NAME = /\.xls[xm]$/i;
const SAVE_AGAIN = "Open it in the program it comes from, save it as Excel workbook or CSV, and choose that file.";

function tableOf(name: string, form: SheetForm, lines: string[][]): OpenedSource {
  return { name, form, tables: [{ name, lines }] };
}

/** Browser and server read text by the same rules. */
function readLines(lines: string[][], { delimiter, isText }: SheetForm, mapping: SheetMapping | null): SheetReading {
  return isText ? readCsvLines(lines, delimiter, mapping) : readSheet(lines, delimiter, mapping);
}

/** Reads a table with the remembered columns for its header, else with columns detected from names and contents. */
export function readPart(name: string, { lines }: Table, form: SheetForm, remembered: RememberedSheets): Part {
  const mapping = rememberedMapping(lines, remembered);
  const reading = readLines(lines, form, mapping);
  const isInVain = !reading.ok && reading.question !== null && !holdsNumbers(lines);
  const judged = isInVain ? { ...reading, question: null } : reading;
  const isBare = namesNoCompany(form, judged);
  return { name, form, lines, reading: judged, isRemembered: mapping !== null, isBare, companies: new Map() };
}

export function withColumns(part: Part, mapping: SheetMapping): Part {
  const reading = readLines(part.lines, part.form, mapping);
  return { ...part, reading, isRemembered: false, isBare: namesNoCompany(part.form, reading) };
}

/** Only some pasted numbers identify a company. In a file, an empty cell among others is a gap to fix. */
function namesNoCompany(form: SheetForm, reading: SheetReading): boolean {
  return form === PASTED || (reading.ok && reading.sheet.rows.every((row) => row.gradingCompany.trim() === ""));
}

function rememberedMapping(lines: readonly string[][], { columns }: RememberedSheets): SheetMapping | null {
  for (const [headerLine, cells] of lines.slice(0, HEADER_LINES_SEARCHED).entries()) {
    const key = headerKey(cells);
    const remembered = key === null ? undefined : columns[key];
    if (remembered) return { headerLine, ...remembered };
  }
  return null;
}

/** Lines searched before a table counts as having no numbers. */
const LINES_SEARCHED = 200;

/** True if asking for the number column makes sense: a cell holds a number, or one that the spreadsheet mangled. */
function holdsNumbers(lines: readonly string[][]): boolean {
  return lines.slice(0, LINES_SEARCHED).some((cells) => cells.some((cell) => /\d{6}|\d[.,]\d+E\+?\d|^#+$/i.test(cell)));
}

/** The effect of a column choice: the number of rows, and of rows whose number can be looked up. */
export type ColumnsCheck = { rowCount: number; readable: number };

export function checkColumns({ lines, form }: Pick<Part, "lines" | "form">, mapping: SheetMapping): ColumnsCheck {
  const reading = readLines(lines, form, mapping);
  if (!reading.ok) return { rowCount: 0, readable: 0 };
  const { rows } = reading.sheet;
  const readable = rows.filter((row) => judgeRow(row, { acceptCompanies: true }).kind === "ready").length;
  return { rowCount: rows.length, readable };
}

/** The number of rows with a certificate; 0 if the columns can't be detected. */
export function countCerts(table: Table, remembered: RememberedSheets): number {
  const { reading, lines, form } = readPart("", table, WORKBOOK, remembered);
  return reading.ok ? checkColumns({ lines, form }, reading.mapping).readable : 0;
}

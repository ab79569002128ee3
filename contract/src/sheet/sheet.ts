import { type Delimiter, type Lines, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "../api/sheet-format.ts";
import * as content from "./content.ts";
import { cutCells } from "./csv-cells.ts";
import { openQuoteMessage, PARSE_FAILURE_MESSAGE, parseCsv } from "./csv.ts";
import { columnsByName, findHeader, HEADER_LINES_SEARCHED, plainName, type SheetColumns } from "./header.ts";
import * as layouts from "./layouts.ts";
import type { SheetCard, SheetRow } from "./row.ts";
import { restoreLine } from "./safe-cells.ts";

/** A sheet with known columns. `header` names every column, including columns that Slabdesk doesn't use. */
export type Sheet = { header: string[]; rows: SheetRow[]; delimiter: Delimiter };

/** `headerLine` counts from 0, null without a header. `company` applies to all rows and replaces a company column. */
export type SheetMapping = { headerLine: number | null; columns: SheetColumns; company: string | null };

/** What to ask the user if no column is identified as the cert numbers', with the likely header line and columns. */
export type MappingQuestion = Pick<SheetMapping, "headerLine" | "columns"> & { header: string[]; preview: string[][] };

export type SheetReading =
  | { ok: true; sheet: Sheet; mapping: SheetMapping }
  | { ok: false; message: string; question: MappingQuestion | null };

const PREVIEW_ROWS = 5;
const LONGEST_CELL = 32_767;

/** Parses a CSV file. The header is one of the first lines, or missing if the contents identify the columns. */
export function parseSheet(text: string, mapping: SheetMapping | null = null): SheetReading {
  const other = otherKindOf(text);
  if (other !== null) return refused(`${PARSE_FAILURE_MESSAGE} ${other}`);
  const csv = parseCsv(text);
  if (!csv.ok) return refused(csv.message);
  return readCsvLines(csv.lines, csv.delimiter, mapping);
}

/** Converts a CSV file's lines to rows. Fails if a quoted cell contains other rows. */
export function readCsvLines(lines: Lines, delimiter: Delimiter, mapping: SheetMapping | null): SheetReading {
  const reading = readSheet(lines, delimiter, mapping);
  const swallowing = reading.ok ? swallowingLine(lines, delimiter, reading.mapping) : null;
  return swallowing === null ? reading : refused(openQuoteMessage(swallowing));
}

/** Other file types, recognized by their first characters, and what to do with them. */
const OTHER_KINDS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:PK(?!\s)\p{Cc}|\u00d0\u00cf\p{Cc}\u00e0)/u,
    "This is a workbook. Save its sheet as CSV, or upload it in the browser.",
  ],
  [
    /^(?:\u2030PNG|GIF8|\u00ff\u00d8\u00ff|RIFF.{4}WEBP)/su,
    "This is an image. Type or scan its numbers, or paste them.",
  ],
  [/^%PDF/, "This is a PDF. Ask for the list as a sheet, or copy its lines into one."],
  [/^\s*<(?:!doctype|html|table|\?xml)/i, "This is a web page. Open it in a spreadsheet and save it as CSV."],
  [/(?:\0[^\0]*){8}/u, "This is a binary file, not a sheet. Choose a CSV, Excel or text file."],
];

/** What a file is if it is no sheet, and what to do with it; else null. */
export function otherKindOf(text: string): string | null {
  const start = text.slice(0, 1_000);
  return OTHER_KINDS.find(([pattern]) => pattern.test(start))?.[1] ?? null;
}

/** Converts a sheet's lines to rows with the given mapping, or with one derived from names and contents. */
export function readSheet(typed: Lines, delimiter: Delimiter = ",", given: SheetMapping | null = null): SheetReading {
  if (typed.every(isEmpty)) return refused("The file is empty. Fill in the template and upload it.");
  const tooLarge = whatIsTooLarge(typed);
  if (tooLarge !== null) return refused(tooLarge);
  const mapping = given ?? mappingOf(typed);
  if (mapping === null) return askMapping(typed);
  const header = headerOf(typed, mapping.headerLine);
  // Without the formula guards of Slabdesk's own exports, so that a sheet survives any number of round trips.
  const lines = layouts.isOwnExport(header) ? typed.map(restoreLine) : typed;
  const rows = rowsOf(lines, mapping);
  if (rows.length === 0)
    return refused("The file has a header but no rows. Add one certificate per line and upload it again.");
  if (rows.length > MAX_SHEET_ROWS)
    return refused(
      `The file has ${rows.length} rows; a session holds at most ${MAX_SHEET_ROWS}. Split it and upload the parts.`,
    );
  return { ok: true, sheet: { header, rows, delimiter }, mapping };
}

/** Which line a session can't accept, or null. Checked first: all else may assume cells of a limited length. */
function whatIsTooLarge(lines: Lines): string | null {
  const wide = lines.findIndex((cells) => cells.length > MAX_SHEET_COLUMNS && !isEmpty(cells));
  if (wide >= 0)
    return `Line ${wide + 1} has more than ${MAX_SHEET_COLUMNS} cells. Delete unneeded columns, or correct the quotation marks in that line, and upload again.`;
  const long = lines.findIndex((cells) => cells.some((cell) => cell.length > LONGEST_CELL));
  if (long >= 0)
    return `A cell in line ${long + 1} is too long for a spreadsheet. Shorten it, or correct the quotation marks in that line, and upload again.`;
  return null;
}

function refused(message: string): SheetReading {
  return { ok: false, message, question: null };
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

function mappingOf(lines: Lines): SheetMapping | null {
  const named = findHeader(lines);
  if (named) {
    const { headerLine, columns } = named;
    return { headerLine, ...withDetected(columns, bodyOf(lines, headerLine), lines[headerLine] ?? []) };
  }
  const headerLine = likelyHeader(lines);
  const names = headerLine === null ? [] : (lines[headerLine] ?? []);
  const body = bodyOf(lines, headerLine);
  const certNumber = layouts.certColumnOfLayout(names, body) ?? content.certColumnOf(body, names);
  if (certNumber === null) return null;
  const byName = Object.entries(columnsByName(names)).filter(([, column]) => column !== certNumber);
  const columns: SheetColumns = { ...Object.fromEntries(byName), certNumber };
  return { headerLine, ...withDetected(columns, body, names) };
}

function withDetected(columns: SheetColumns, body: Lines, header: readonly string[]) {
  const { columns: withoutCost, company } = withCompany(columns, body, header);
  const price = withoutCost.price ?? content.costColumnOf(body, header, Object.values(withoutCost));
  return { columns: price === null ? withoutCost : { ...withoutCost, price }, company };
}

/** The nonempty lines below the header, without lines that repeat it. */
function bodyOf(lines: Lines, headerLine: number | null): Lines {
  if (headerLine === null) return lines.filter((cells) => !isEmpty(cells));
  const header = namesOf(lines[headerLine] ?? []);
  return lines.slice(headerLine + 1).filter((cells) => !isEmpty(cells) && namesOf(cells) !== header);
}

function namesOf(cells: readonly string[]): string {
  return cells.slice(0, MAX_SHEET_COLUMNS).map(plainName).join("|");
}

function withCompany({ gradingCompany, ...columns }: SheetColumns, body: Lines, header: readonly string[]) {
  if (gradingCompany !== undefined && !isOtherCompany(header[gradingCompany] ?? "", gradingCompany, body))
    return { columns: { ...columns, gradingCompany }, company: null };
  const company = layouts.companyOfLayout(header);
  if (company !== null) return { columns, company };
  const byContent = columns.certNumber === undefined ? null : content.companyColumnOf(body, columns.certNumber);
  return { columns: byContent === null ? columns : { ...columns, gradingCompany: byContent }, company: null };
}

/** A "Company" column may hold customers' companies. */
function isOtherCompany(name: string, column: number, body: Lines): boolean {
  return plainName(name) === "company" && !body.some((cells) => content.graderIn(cells[column] ?? "") !== null);
}

/** The likely header if none names the cert number: the widest line of names above the first certificate, or null. */
function likelyHeader(lines: Lines): number | null {
  const first = lines.slice(0, HEADER_LINES_SEARCHED).map((cells) => cells.slice(0, MAX_SHEET_COLUMNS));
  const start = first.findIndex((cells) => cells.some(content.isCertLike));
  const above = (start < 0 ? first : first.slice(0, start)).map((cells) => cells.filter((cell) => cell.trim() !== ""));
  const names = above.map((cells) => (cells.every(isName) ? cells.length : 0));
  const widest = Math.max(0, ...names);
  return widest === 0 ? null : names.indexOf(widest);
}

/** True if the text could be a column name: letters, and no long number, URL or spreadsheet error. */
function isName(cell: string): boolean {
  return /\p{L}/u.test(cell) && !/^\s*#|\d{5}|:\/\//.test(cell);
}

function askMapping(lines: Lines): SheetReading {
  const headerLine = likelyHeader(lines);
  const header = headerOf(lines, headerLine).slice(0, MAX_SHEET_COLUMNS);
  const body = bodyOf(lines, headerLine);
  const several = content.certColumns(body, headerLine === null ? [] : header).map((column) => header[column]?.trim());
  const reason =
    several.length > 1
      ? `more than one may contain cert numbers (${several.join(", ")})`
      : "none contains only cert numbers";
  return {
    ok: false,
    message: `${PARSE_FAILURE_MESSAGE} No column is named CertNumber, and ${reason}. Name the column with the numbers CertNumber in one of the file's first ${HEADER_LINES_SEARCHED} lines; the template shows the four columns.`,
    question: {
      headerLine,
      header,
      columns: headerLine === null ? {} : columnsByName(header),
      preview: body.slice(0, PREVIEW_ROWS).map((cells) => cells.slice(0, MAX_SHEET_COLUMNS)),
    },
  };
}

function headerOf(lines: Lines, headerLine: number | null): string[] {
  if (headerLine !== null) return [...(lines[headerLine] ?? [])];
  const width = lines.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  return Array.from({ length: width }, (_, index) => `Column ${index + 1}`);
}

function rowsOf(lines: Lines, { headerLine, columns, company }: SheetMapping): SheetRow[] {
  const header = headerLine === null ? [] : (lines[headerLine] ?? []);
  // The column GradingCompany (docs/conformance.md, 3.6-01) holds only the company. Other columns may add to it, like
  // CardLadder's "PSA 10", or hold only a grade.
  const companyHeading = header[columns.gradingCompany ?? -1] ?? "";
  const isPlain = plainName(companyHeading) === "gradingcompany";
  const isNamed = columnsByName([companyHeading]).gradingCompany !== undefined;
  const isImageLine = layouts.imageLinesOf(header);
  const rows: SheetRow[] = [];
  for (const [index, cells] of lines.entries()) {
    if (index <= (headerLine ?? -1) || isEmpty(cells) || isImageLine(cells)) continue;
    const cellOf = (field: keyof SheetColumns): string => cells[columns[field] ?? -1] ?? "";
    const companyCell = cellOf("gradingCompany");
    const named = company === null && !isPlain ? content.graderIn(companyCell) : null;
    const isReadOut = named !== null && named.toUpperCase() !== companyCell.trim().toUpperCase();
    const sheetCard = sheetCardOf(cellOf, isReadOut ? companyCell.trim() : null);
    rows.push({
      line: index + 1,
      cells: [...cells],
      certNumber: cellOf("certNumber"),
      gradingCompany: company ?? named ?? (isNamed || !/\d/.test(companyCell) ? companyCell : ""),
      price: cellOf("price"),
      notes: cellOf("notes"),
      ...(sheetCard && { sheetCard }),
    });
  }
  return rows;
}

function sheetCardOf(cellOf: (field: keyof SheetColumns) => string, company: string | null): SheetCard | null {
  const card: SheetCard = company === null ? {} : { company };
  for (const field of ["name", "grade", "year", "set"] as const) {
    const text = layouts.withoutEbayId(cellOf(field)).trim();
    if (text !== "") card[field] = text;
  }
  return Object.keys(card).length === 0 ? null : card;
}

/** A line within a cell is a row if it has at least this many cells, whatever they hold. */
const SURELY_A_ROW = 4;

/** The line of a quoted cell that swallows rows because its quotation mark isn't closed where it should be, or null. */
function swallowingLine(lines: Lines, delimiter: Delimiter, { headerLine, columns }: SheetMapping): number | null {
  const width = Math.max(SURELY_A_ROW, headerLine === null ? 0 : (lines[headerLine]?.length ?? 0));
  const isRow = (cells: readonly string[]): boolean =>
    (cells.length >= width && !isEmpty(cells)) ||
    (cells.length > 1 && content.isAnyCert(cells[columns.certNumber ?? 0] ?? ""));
  const swallows = (cell: string): boolean =>
    /[\r\n]/.test(cell) && cutCells(cell, delimiter).lines.slice(1).some(isRow);
  const index = lines.findIndex((cells, at) => at > (headerLine ?? -1) && cells.some(swallows));
  if (index < 0) return null;
  const textBefore = lines.slice(0, index).flat().join(" ");
  return index + textBefore.split(/\r\n|\r|\n/).length;
}

import { certColumnOf, companyColumnOf, graderIn, isCertLike } from "./content.ts";
import { type CsvReading, type Delimiter, MAX_SHEET_ROWS, PARSE_FAILURE_MESSAGE, parseCsv } from "./csv.ts";
import { columnsByName, findHeader, HEADER_LINES_SEARCHED, plainName, type SheetColumns } from "./header.ts";
import type { SheetCard, SheetRow } from "./row.ts";

/** A sheet whose columns are known. `header` names every column, also those that are not ours. */
export type Sheet = { header: string[]; rows: SheetRow[]; delimiter: Delimiter };

/**
 * What the columns of a sheet are for. `headerLine` counts from 0; null when the sheet has none. `company` stands in
 * for a column of companies, as in PSA's own files.
 */
export type SheetMapping = { headerLine: number | null; columns: SheetColumns; company: string | null };

/** What has to be asked when neither names nor contents tell which column holds the certificate numbers. */
export type MappingQuestion = {
  /** The line that seems to be the header, counting from 0; null when the sheet seems to have none. */
  headerLine: number | null;
  header: string[];
  /** What is known already. */
  columns: SheetColumns;
  preview: string[][];
};

export type SheetReading =
  | { ok: true; sheet: Sheet; mapping: SheetMapping }
  | { ok: false; message: string; question: MappingQuestion | null };

/** Rows shown beside the question. */
const PREVIEW_ROWS = 5;

/** Reads the text of a CSV file; its header stands in one of the first lines, or nowhere when the contents tell. */
export function parseSheet(text: string, mapping: SheetMapping | null = null): SheetReading {
  const csv: CsvReading = parseCsv(text);
  return csv.ok ? readSheet(csv.lines, csv.delimiter, mapping) : { ...csv, question: null };
}

/** Makes rows of a sheet's lines, by the mapping given or by what names and contents tell. */
export function readSheet(
  lines: readonly (readonly string[])[],
  delimiter: Delimiter = ",",
  given: SheetMapping | null = null,
): SheetReading {
  if (lines.every(isEmpty)) return refused("The file is empty. Fill in the template and upload it.");
  const mapping = given ?? mappingOf(lines);
  if (mapping === null) return askMapping(lines);
  const rows = rowsOf(lines, mapping);
  if (rows.length === 0)
    return refused("The file has a header but no rows. Add one certificate a line and upload it again.");
  if (rows.length > MAX_SHEET_ROWS) {
    return refused(
      `The file has ${rows.length} rows; one session takes ${MAX_SHEET_ROWS}. Split it and upload the parts.`,
    );
  }
  return { ok: true, sheet: { header: headerOf(lines, mapping.headerLine), rows, delimiter }, mapping };
}

function refused(message: string): SheetReading {
  return { ok: false, message, question: null };
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

/** PSA's order return names no company: every card in it is PSA's. */
const PSA_ORDER_RETURN = ["cert", "type", "description", "grade", "afterservice", "images"];

function mappingOf(lines: readonly (readonly string[])[]): SheetMapping | null {
  const named = findHeader(lines);
  if (named) {
    const { headerLine, columns } = named;
    return { headerLine, ...withCompany(columns, lines.slice(headerLine + 1), lines[headerLine] ?? []) };
  }
  const header = likelyHeader(lines);
  const body = lines.slice(header === null ? 0 : header + 1).filter((cells) => !isEmpty(cells));
  const certNumber = certColumnOf(body);
  if (certNumber === null) return null;
  const names = header === null ? [] : (lines[header] ?? []);
  const byName = Object.entries(columnsByName(names)).filter(([, column]) => column !== certNumber);
  const columns: SheetColumns = { ...Object.fromEntries(byName), certNumber };
  return { headerLine: header, ...withCompany(columns, body, names) };
}

function withCompany(
  columns: SheetColumns,
  body: readonly (readonly string[])[],
  header: readonly string[],
): Pick<SheetMapping, "columns" | "company"> {
  if (columns.gradingCompany !== undefined) return { columns, company: null };
  const plain = header.map(plainName);
  if (PSA_ORDER_RETURN.every((name) => plain.includes(name))) return { columns, company: "PSA" };
  const byContent = columns.certNumber === undefined ? null : companyColumnOf(body, columns.certNumber);
  return { columns: byContent === null ? columns : { ...columns, gradingCompany: byContent }, company: null };
}

/**
 * Which of the first lines names the columns, where none names the certificate number: the widest of them that holds
 * no certificate. Null when the first filled line is a row already.
 */
function likelyHeader(lines: readonly (readonly string[])[]): number | null {
  const first = lines.slice(0, HEADER_LINES_SEARCHED).map((cells) => [...cells]);
  const start = first.findIndex((cells) => cells.some(isCertLike));
  const above = (start < 0 ? first : first.slice(0, start)).map((cells) => cells.filter((cell) => cell.trim() !== ""));
  const widest = Math.max(0, ...above.map((cells) => cells.length));
  const line = above.findIndex((cells) => cells.length === widest);
  return widest === 0 ? null : line;
}

function askMapping(lines: readonly (readonly string[])[]): SheetReading {
  const headerLine = likelyHeader(lines);
  const header = headerOf(lines, headerLine);
  const body = lines.slice(headerLine === null ? 0 : headerLine + 1).filter((cells) => !isEmpty(cells));
  return {
    ok: false,
    message: `${PARSE_FAILURE_MESSAGE} No column is named CertNumber, and none holds only certificate numbers. Name the column with the numbers CertNumber in the file's first line; the template shows the four columns.`,
    question: {
      headerLine,
      header,
      columns: headerLine === null ? {} : columnsByName(header),
      preview: body.slice(0, PREVIEW_ROWS).map((cells) => [...cells]),
    },
  };
}

/** A name for every column that a row may have. */
function headerOf(lines: readonly (readonly string[])[], headerLine: number | null): string[] {
  if (headerLine !== null) return [...(lines[headerLine] ?? [])];
  const width = lines.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  return Array.from({ length: width }, (_, index) => `Column ${index + 1}`);
}

function rowsOf(lines: readonly (readonly string[])[], { headerLine, columns, company }: SheetMapping): SheetRow[] {
  const header = headerLine === null ? [] : (lines[headerLine] ?? []);
  const isCompanyNamed = columns.gradingCompany !== undefined && isNamedCompany(header[columns.gradingCompany]);
  const rows: SheetRow[] = [];
  for (const [index, cells] of lines.entries()) {
    if (index <= (headerLine ?? -1) || isEmpty(cells)) continue;
    const cellOf = (column: number | undefined): string => (column === undefined ? "" : (cells[column] ?? ""));
    const companyCell = cellOf(columns.gradingCompany);
    const sheetCard = sheetCardOf(columns, cellOf);
    rows.push({
      line: index + 1,
      cells: [...cells],
      certNumber: cellOf(columns.certNumber),
      gradingCompany: company ?? (isCompanyNamed ? companyCell : (graderIn(companyCell) ?? companyCell)),
      price: cellOf(columns.price),
      notes: cellOf(columns.notes),
      ...(sheetCard && { sheetCard }),
    });
  }
  return rows;
}

/** A column that is named after companies holds them alone (SPEC section 5); one known by its contents begins with them. */
function isNamedCompany(name: string | undefined): boolean {
  return name !== undefined && columnsByName([name]).gradingCompany === 0;
}

function sheetCardOf(columns: SheetColumns, cellOf: (column: number | undefined) => string): SheetCard | null {
  const card: SheetCard = {};
  for (const field of ["name", "grade", "year", "set"] as const) {
    const text = cellOf(columns[field]).trim();
    if (text !== "") card[field] = text;
  }
  return Object.keys(card).length === 0 ? null : card;
}

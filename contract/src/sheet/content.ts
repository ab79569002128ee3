import { parseCertNumber } from "../certs/cert-number.ts";
import { companyIn } from "../certs/company-proposal.ts";
import { parseCertUrl } from "../certs/cert-url.ts";
import { COMPANIES } from "../certs/company.ts";

/* Columns known by what they hold, where their names do not tell. */

/** So many rows are looked at. */
const SAMPLE_ROWS = 200;
/** Such a share of a column's filled cells has to fit. */
const ENOUGH = 0.8;

/** The one column that holds certificate numbers; null when none does, or more than one might. */
export function certColumnOf(rows: readonly (readonly string[])[]): number | null {
  const columns = columnsWhere(rows, isCertLike);
  return columns.length === 1 ? (columns[0] ?? null) : null;
}

/** The one column whose cells begin with a grading company: "PSA", "PSA 10", "BGS 9.5". */
export function companyColumnOf(rows: readonly (readonly string[])[], certColumn: number): number | null {
  const columns = columnsWhere(rows, (cell) => graderIn(cell) !== null).filter((column) => column !== certColumn);
  return columns.length === 1 ? (columns[0] ?? null) : null;
}

/** Grading companies whose names sheets hold; those that are not supported are named in the row's error. */
const GRADERS = ["PSA", "CGC", "TAG", "BGS", "BVG", "SGC", "CSG", "HGA", "ACE", "ARS", "GMA", "KSA", "RAW"];

/** The grading company that a cell begins with, as it is written there: "PSA" in "PSA 10". Null when it is none. */
export function graderIn(cell: string): string | null {
  const word = /^\s*([a-z]{3})(?![a-z])/i.exec(cell)?.[1];
  return word !== undefined && GRADERS.includes(word.toUpperCase()) ? word : null;
}

/** True when a cell holds what can only be a certificate number; a number that has to be guessed at is none. */
export function isCertLike(cell: string): boolean {
  const text = cell.trim();
  if (parseCertUrl(text)) return true;
  if (isDate(text)) return false;
  if (companyIn(text) !== null && !/\d{6}/.test(text)) return false;
  return COMPANIES.some((company) => {
    const reading = parseCertNumber(company, text);
    return reading.ok && !reading.repairs.includes("leading_zero_restored");
  });
}

/** "20240131" has eight digits too. */
function isDate(text: string): boolean {
  return /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(text) || /^\d{4}-\d\d-\d\d/.test(text);
}

function columnsWhere(rows: readonly (readonly string[])[], fits: (cell: string) => boolean): number[] {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const width = sample.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const filled = sample.map((cells) => cells[column] ?? "").filter((cell) => cell.trim() !== "");
    return filled.length > 0 && filled.filter(fits).length >= filled.length * ENOUGH;
  });
}

import { formatDay } from "../certs/dates.ts";
import { cutText } from "../certs/text.ts";

/** The date in file names, in local time: "2026-11-21". */
export function isoDate(date: Date): string {
  return date.toLocaleDateString("sv-SE");
}

/** The default session name: the file name, " - " and today's date, as in "box.csv - Nov 21, 2026". */
export function defaultSessionName(csvFilename: string, today: Date): string {
  return `${csvFilename} - ${formatDay(today.getTime())}`;
}

export function resultsFileName(today: Date): string {
  return `card-grading-results-${isoDate(today)}.csv`;
}

/** File systems limit names to 255 bytes. A Japanese character takes three. */
const LONGEST_NAME_BYTES = 200;

/** What a default session name adds to its file's name, and the ending of that. */
const DEFAULT_END = / - (?:[A-Z][a-z]{2} \d{1,2}, \d{4}|\d{1,2}\/\d{1,2}\/\d{4})$/;
const SHEET_ENDING = /\.(?:csv|tsv|tab|txt|xlsx|xlsm|xls)$/i;

/** "box 7 - 2026-11-21.csv"; with a `kind` "box 7 eBay - …". Keeps letters, digits and ._-; the rest become spaces. */
export function sessionFileName(sessionName: string, today: Date, { kind = "", ending = "csv" } = {}): string {
  const name = cutText(sessionName, 1_000).trim().replace(DEFAULT_END, "").replace(SHEET_ENDING, "");
  const plain = cutText(name.replace(/[^\p{L}\p{N}._-]+/gu, " ").replace(/^[ ._]+/, ""), 100).replace(/[ ._]+$/, "");
  const bytes = new TextEncoder().encode(plain).subarray(0, LONGEST_NAME_BYTES);
  const safe = new TextDecoder().decode(bytes, { stream: true });
  return `${safe || "session"}${kind === "" ? "" : ` ${kind}`} - ${isoDate(today)}.${ending}`;
}

export const TEMPLATE_FILE_NAME = "card-grading-template.csv";

export const TEMPLATE_LINES = [
  ["CertNumber", "GradingCompany", "Price", "Notes"],
  ["98174651", "PSA", "120.00", "Example: a PSA certificate has 8 or 9 digits"],
  ["1401019289294", "CGC", "45.50", "Example: a CGC certificate has 10 or 13 digits"],
  ["C1240631", "TAG", "30.00", "Example: a TAG certificate is a letter and 7 digits"],
] as const;

export const SAMPLE_FILE_NAME = "sample-sheet.csv";

/** A box of real cards, with what sheets usually suffer: a lost zero, a duplicate, no company, lost digits. */
export const SAMPLE_LINES = [
  ["CertNumber", "GradingCompany", "Price", "Notes"],
  ["98174651", "PSA", "120.00", ""],
  ["79720210", "PSA", "75.00", "Front case"],
  ["1020688", "PSA", "25.00", "The spreadsheet dropped a zero"],
  ["6021692042", "CGC", "64.00", ""],
  ["1401019289294", "CGC", "45.50", ""],
  ["C1240631", "TAG", "30.00", ""],
  ["Q9937497", "TAG", "75.00", "Scratch on the case, card fine"],
  ["98174651", "PSA", "120.00", "Listed twice"],
  ["82456191", "", "18.00", "The company is missing"],
  ["1.45531E+08", "PSA", "30.00", "The spreadsheet cut this number"],
] as const;

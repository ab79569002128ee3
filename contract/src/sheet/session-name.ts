import { cutText } from "../certs/text.ts";

/** The date in default session names: "11/21/2026". */
function usDate(date: Date): string {
  return date.toLocaleDateString("en-US");
}

/** The date in file names, in local time: "2026-11-21". */
export function isoDate(date: Date): string {
  return date.toLocaleDateString("sv-SE");
}

/** The default session name: the file name, " - " and today's date. */
export function defaultSessionName(csvFilename: string, today: Date): string {
  return `${csvFilename} - ${usDate(today)}`;
}

export function resultsFileName(today: Date): string {
  return `card-grading-results-${isoDate(today)}.csv`;
}

/** File systems limit names to 255 bytes. A Japanese character takes three. */
const LONGEST_NAME_BYTES = 200;

/** Replaces all characters of a session name except letters, digits, dots and dashes with underscores. */
export function sessionFileName(sessionName: string, today: Date): string {
  const plain = cutText(sessionName.replace(/[^\p{L}\p{N}.-]+/gu, "_").replace(/^[_.]+/, ""), 100).replace(
    /[_.]+$/,
    "",
  );
  const bytes = new TextEncoder().encode(plain).subarray(0, LONGEST_NAME_BYTES);
  const safe = new TextDecoder().decode(bytes, { stream: true });
  return `${safe || "session"}-${isoDate(today)}.csv`;
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

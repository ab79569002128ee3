import { cutText } from "./text.ts";

/** "11/21/2026": today's date as it stands in default session names. */
function usDate(date: Date): string {
  return `${date.getMonth() + 1}/${date.getDate()}/${date.getFullYear()}`;
}

/** "2026-11-21": the date in file names, in local time. */
function isoDate(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The name of a session whose user typed none: file name + " - " + today's date. */
export function defaultSessionName(csvFilename: string, today: Date): string {
  return `${csvFilename} - ${usDate(today)}`;
}

export function resultsFileName(today: Date): string {
  return `card-grading-results-${isoDate(today)}.csv`;
}

/** Disks take names of 255 bytes; a letter of Japanese is three. */
const LONGEST_NAME_BYTES = 200;

/** Session names are free text: everything but letters, digits, dot and dash becomes an underscore. */
export function sessionFileName(sessionName: string, today: Date): string {
  const plain = cutText(sessionName.replace(/[^\p{L}\p{N}.-]+/gu, "_").replace(/^[_.]+|[_.]+$/g, ""), 100);
  const bytes = new TextEncoder().encode(plain).subarray(0, LONGEST_NAME_BYTES);
  const safe = new TextDecoder().decode(bytes, { stream: true });
  return `${safe || "session"}-${isoDate(today)}.csv`;
}

export const TEMPLATE_FILE_NAME = "card-grading-template.csv";

/** The template's lines: SPEC's four columns and one example of each company. */
export const TEMPLATE_LINES = [
  ["CertNumber", "GradingCompany", "Price", "Notes"],
  ["98174651", "PSA", "120.00", "Example: a PSA certificate has 8 or 9 digits"],
  ["1401019289294", "CGC", "45.50", "Example: a CGC certificate has 10 or 13 digits"],
  ["C1240631", "TAG", "30.00", "Example: a TAG certificate is a letter and 7 digits"],
] as const;

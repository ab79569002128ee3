import { writeSheet } from "./csv-text.ts";

/** A file as the browser's file chooser provides it. */
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

export function sheetFile(name: string, rows: readonly (readonly string[])[]): ChosenFile {
  return { name, mimeType: "text/csv", buffer: writeSheet(rows) };
}

let last = 1_000_000;

/** Certificates of one company that no other journey uses, so they are not cached. */
function freshRows(count: number, company: string, numberOf: (n: number) => string): string[][] {
  return Array.from({ length: count }, () => {
    last += 7;
    return [numberOf(last), company, "10.00", ""];
  });
}

/** One API call each. */
export const freshTagRows = (count: number): string[][] => freshRows(count, "TAG", (n) => `K${n}`);

/** One API call each. */
export const freshCgcRows = (count: number): string[][] => freshRows(count, "CGC", (n) => `1404${n}11`);

/** Two API calls each, or one page. */
export const freshPsaRows = (count: number): string[][] => freshRows(count, "PSA", (n) => `4${n}`);

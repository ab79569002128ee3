import { writeSheet } from "./csv-text.ts";

/** A file as the browser's chooser hands it on. */
export type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

export function sheetFile(name: string, rows: readonly (readonly string[])[]): ChosenFile {
  return { name, mimeType: "text/csv", buffer: writeSheet(rows) };
}

let lastTag = 1_000_000;

/** TAG certificates that no journey has used: one call to a grader each, and never known before. */
export function freshTagRows(count: number): string[][] {
  return Array.from({ length: count }, () => {
    lastTag += 7;
    return [`K${lastTag}`, "TAG", "10.00", ""];
  });
}

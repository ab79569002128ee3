import { plainName, type SheetColumns } from "@slabdesk/contract/sheet/header.ts";

/** What was answered about a header: which column is what, and the one company of all rows, if there is one. */
export type RememberedColumns = { columns: SheetColumns; company: string | null };

/**
 * What was asked about sheets and answered, by header, and which sheets of a workbook were taken, by the workbook's
 * name and sheets; the oldest answers first. Like the table's columns it is a preference of this browser, and stays
 * when somebody logs out (see browser-storage.ts).
 */
export type RememberedSheets = { columns: Record<string, RememberedColumns>; sheets: Record<string, string[]> };

export const NOTHING_REMEMBERED: RememberedSheets = { columns: {}, sheets: {} };

/** A header as it is looked up: its names in order. Null when it has none, so that no other sheet is taken for it. */
export function headerKey(header: readonly string[]): string | null {
  const names = header.map(plainName);
  return names.some((name) => name !== "") ? names.join("|") : null;
}

export function workbookKey(fileName: string, sheetNames: readonly string[]): string {
  return [fileName, ...sheetNames].join("|");
}

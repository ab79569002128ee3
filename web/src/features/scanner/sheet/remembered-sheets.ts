import { plainName } from "@slabdesk/contract/sheet/header.ts";
import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";

/** Columns by header, and chosen sheets by workbook, oldest first. A browser preference, which stays after logout. */
export type RememberedSheets = {
  columns: Record<string, Omit<SheetMapping, "headerLine">>;
  sheets: Record<string, string[]>;
};

export const NOTHING_REMEMBERED: RememberedSheets = { columns: {}, sheets: {} };

/** The lookup key of a header: its names in order. Null if it has no names, so that it never matches another sheet. */
export function headerKey(header: readonly string[]): string | null {
  const names = header.map(plainName);
  return names.some((name) => name !== "") ? names.join("|") : null;
}

export function workbookKey(fileName: string, sheetNames: readonly string[]): string {
  return [fileName, ...sheetNames].join("|");
}

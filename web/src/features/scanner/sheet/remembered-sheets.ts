import { plainName } from "@slabdesk/contract/sheet/header.ts";

export const NOTHING_REMEMBERED = { columns: {}, sheets: {} };

/** The lookup key of a header: its names in order. Null if it has no names, so that it never matches another sheet. */
export function headerKey(header: readonly string[]): string | null {
  const names = header.map(plainName);
  return names.some((name) => name !== "") ? names.join("|") : null;
}

export function workbookKey(fileName: string, sheetNames: readonly string[]): string {
  return [fileName, ...sheetNames].join("|");
}

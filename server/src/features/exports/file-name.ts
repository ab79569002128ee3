import { resultsFileName, sessionFileName } from "@slabdesk/contract/sheet/session-name.ts";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { cutText } from "@slabdesk/contract/sheet/text.ts";

/** What a user knows a session by. */
export type NamedSession = { session_name: string; csv_filename: string };

/** So that a long name cannot push the end of the file's name away. */
const LONGEST_STEM = 80;

/** The name of a session's file in a format; SPEC's for the two CSV files, of the user's own file for the round trip. */
export function exportFileName(format: ExportFormat, session: NamedSession, today: Date): string {
  const named = (ending: string): string => sessionFileName(session.session_name, today).replace(/\.csv$/, ending);
  switch (format) {
    case "csv":
      return resultsFileName(today);
    case "session-csv":
      return named(".csv");
    case "xlsx":
      return named(".xlsx");
    case "original":
      return originalFileName(session.csv_filename, today);
    case "ebay":
    case "shopify":
    case "whatnot":
      return named(`-${format}.csv`);
    case "images.zip":
      return named("-images.zip");
    case "json":
      return named(".json");
  }
}

/** Whether the user's own file was a workbook, and so is what they get back. */
export function wasWorkbook(csvFilename: string): boolean {
  return /\.xlsx$/i.test(csvFilename.trim());
}

function originalFileName(csvFilename: string, today: Date): string {
  const stem = cutText(csvFilename.trim().replace(/\.[a-z]{3,4}$/i, ""), LONGEST_STEM);
  const name = sessionFileName(`${stem}-results`, today);
  return wasWorkbook(csvFilename) ? name.replace(/\.csv$/, ".xlsx") : name;
}

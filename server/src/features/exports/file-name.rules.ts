import { resultsFileName, sessionFileName } from "@slabdesk/contract/sheet/session-name.ts";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import type { SessionRecord } from "../sessions/sessions.present.ts";

/** Limits the name's length, so that the suffix and date aren't cut off. */
const LONGEST_STEM = 80;

/**
 * Returns the file name of an export. The two CSV formats use the specified names (docs/conformance.md, section 3.14).
 * `original` uses the name of the uploaded file.
 */
export function exportFileName(
  format: ExportFormat,
  session: Pick<SessionRecord, "session_name" | "csv_filename">,
  today: Date,
): string {
  const named = (ending: string): string => sessionFileName(session.session_name, today).replace(/\.csv$/, ending);
  switch (format) {
    case "csv":
      return resultsFileName(today);
    case "original":
      return originalFileName(session.csv_filename, today);
    case "session-csv":
      return named(".csv");
    case "images.zip":
      return named("-images.zip");
    case "xlsx":
    case "json":
      return named(`.${format}`);
    default:
      return named(`-${format}.csv`);
  }
}

/** Whether the uploaded file was a workbook. If so, the `original` export is one too. */
export function wasWorkbook(csvFilename: string): boolean {
  return /\.xlsx$/i.test(csvFilename.trim());
}

function originalFileName(csvFilename: string, today: Date): string {
  const stem = cutText(csvFilename.trim().replace(/\.[a-z]{3,4}$/i, ""), LONGEST_STEM);
  const name = sessionFileName(`${stem}-results`, today);
  return wasWorkbook(csvFilename) ? name.replace(/\.csv$/, ".xlsx") : name;
}

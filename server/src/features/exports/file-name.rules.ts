import { resultsFileName, sessionFileName } from "@slabdesk/contract/sheet/session-name.ts";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import type { SessionRecord } from "../sessions/sessions.present.ts";

const LONGEST_STEM = 80;
const SHOP_NAMES = { ebay: "eBay", shopify: "Shopify", whatnot: "Whatnot" };

/**
 * Returns the file name of an export. The two CSV formats use the specified names (docs/conformance.md, section 3.14).
 * `original` uses the name of the uploaded file. All files of one session have different names.
 */
export function exportFileName(
  format: ExportFormat,
  session: Pick<SessionRecord, "session_name" | "csv_filename">,
  today: Date,
  hasPhotos = false,
): string {
  const named = (kind: string, ending = "csv"): string =>
    sessionFileName(session.session_name, today, { kind, ending });
  switch (format) {
    case "csv":
      return resultsFileName(today);
    case "original":
      return originalFileName(session.csv_filename, today);
    case "session-csv":
      return named("");
    case "images.zip":
      return named("images", "zip");
    case "xlsx":
      return named(hasPhotos ? "with photos" : "", format);
    case "json":
      return named("", format);
    case "ebay":
    case "shopify":
    case "whatnot":
      return named(SHOP_NAMES[format]);
  }
}

/** Whether the uploaded file was a workbook. If so, the `original` export is one too. */
export function wasWorkbook(csvFilename: string): boolean {
  return /\.xlsx$/i.test(csvFilename.trim());
}

function originalFileName(csvFilename: string, today: Date): string {
  const stem = cutText(csvFilename.trim().replace(/\.[a-z]{3,4}$/i, ""), LONGEST_STEM);
  return sessionFileName(stem, today, { kind: "with results", ending: wasWorkbook(csvFilename) ? "xlsx" : "csv" });
}

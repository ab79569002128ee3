import { resultsFileName, sessionFileName } from "@slabdesk/contract/sheet/session-name.ts";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import type { SessionRecord } from "../sessions/sessions.present.ts";

const LONGEST_STEM = 80;
const ENDINGS: Partial<Record<ExportFormat, string>> = { xlsx: "xlsx", json: "json", "images.zip": "zip" };
/** What a file's name adds to the session's name. */
const KINDS: Partial<Record<ExportFormat, string>> = {
  "images.zip": "images",
  ebay: "eBay",
  shopify: "Shopify",
  whatnot: "Whatnot",
};

/** The CSV formats have specified names (docs/conformance.md, 3.14). All files of a session have different names. */
export function exportFileName(
  format: ExportFormat,
  session: Pick<SessionRecord, "session_name" | "csv_filename">,
  today: Date,
  hasPhotos = false,
): string {
  if (format === "csv") return resultsFileName(today);
  if (format === "original") {
    const stem = cutText(session.csv_filename.trim().replace(/\.[a-z]{3,4}$/i, ""), LONGEST_STEM);
    const ending = wasWorkbook(session.csv_filename) ? "xlsx" : "csv";
    return sessionFileName(stem, today, { kind: "with results", ending });
  }
  const kind = format === "xlsx" && hasPhotos ? "with photos" : (KINDS[format] ?? "");
  return sessionFileName(session.session_name, today, { kind, ending: ENDINGS[format] ?? "csv" });
}

/** Whether the uploaded file was a workbook. If so, the `original` export is one too. */
export function wasWorkbook(csvFilename: string): boolean {
  return /\.xlsx$/i.test(csvFilename.trim());
}

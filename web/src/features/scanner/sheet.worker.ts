import { decodeSheet } from "@slabdesk/contract/sheet/csv.ts";
import { parseSheet, type Sheet } from "@slabdesk/contract/sheet/sheet.ts";
import { type SheetSummary, summarizeSheet } from "./sheet-summary.ts";

export type SheetAnswer = { ok: true; sheet: Sheet; summary: SheetSummary } | { ok: false; message: string };

function readSheet(bytes: Uint8Array): SheetAnswer {
  const reading = parseSheet(decodeSheet(bytes));
  return reading.ok ? { ok: true, sheet: reading.sheet, summary: summarizeSheet(reading.sheet.rows) } : reading;
}

/** One message in, the bytes of a file; one message out. 100,000 rows take seconds, which the page must not feel. */
self.addEventListener("message", (event: MessageEvent<ArrayBuffer>) => {
  self.postMessage(readSheet(new Uint8Array(event.data)), { transfer: [] });
});

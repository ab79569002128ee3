import type { Company } from "@slabdesk/contract/certs/company.ts";
import { REPAIR_WORDS, type CertRepair } from "@slabdesk/contract/certs/cert-number.ts";
import { parsePrice } from "@slabdesk/contract/sheet/price.ts";
import { judgeRow, type SheetRow } from "@slabdesk/contract/sheet/row.ts";

/** One line of the sheet that staff may want to see: where it is, what was typed, what is said about it. */
export type LineNote = { line: number; typed: string; words: string };

/** A kind of remark, how many lines have it, and the first of those lines. */
export type LineNotes = { count: number; notes: LineNote[] };

/**
 * What a sheet holds, before anything is called. `ready` + `duplicates` + `damaged.count` is the number of rows; a
 * duplicate is a row whose certificate stands further up already: it is looked up once and fills every row.
 */
export type SheetSummary = {
  rowCount: number;
  ready: number;
  duplicates: number;
  byCompany: Record<Company, number>;
  repaired: LineNotes;
  damaged: LineNotes;
  unreadablePrices: LineNotes;
};

/** Notes listed of one kind; the count goes on beyond it. */
export const NOTES_LISTED = 100;

/** Judges every row with the same code as the server. */
export function summarizeSheet(rows: readonly SheetRow[]): SheetSummary {
  const seen = new Set<string>();
  const summary: SheetSummary = {
    rowCount: rows.length,
    ready: 0,
    duplicates: 0,
    byCompany: { PSA: 0, CGC: 0, TAG: 0 },
    repaired: { count: 0, notes: [] },
    damaged: { count: 0, notes: [] },
    unreadablePrices: { count: 0, notes: [] },
  };
  for (const row of rows) {
    const verdict = judgeRow(row);
    if (parsePrice(row.price).kind === "unreadable")
      note(summary.unreadablePrices, row.line, row.price, "not an amount; it is kept as typed");
    if (verdict.kind === "invalid") {
      note(summary.damaged, row.line, row.certNumber, verdict.message);
      continue;
    }
    if (verdict.repairs.length > 0)
      note(summary.repaired, row.line, row.certNumber, repairWords(verdict.certNumber, verdict.repairs));
    const cert = `${verdict.company} ${verdict.certNumber}`;
    if (seen.has(cert)) {
      summary.duplicates += 1;
      continue;
    }
    seen.add(cert);
    summary.ready += 1;
    summary.byCompany[verdict.company] += 1;
  }
  return summary;
}

function repairWords(certNumber: string, repairs: readonly CertRepair[]): string {
  return `${certNumber}: ${repairs.map((repair) => REPAIR_WORDS[repair]).join(", ")}`;
}

function note(notes: LineNotes, line: number, typed: string, words: string): void {
  notes.count += 1;
  if (notes.notes.length < NOTES_LISTED) notes.notes.push({ line, typed, words });
}

import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { REPAIR_LABELS, type CertRepair } from "@slabdesk/contract/certs/cert-number.ts";
import { originOf } from "@slabdesk/contract/sheet/combine.ts";
import { parsePrice } from "@slabdesk/contract/sheet/price.ts";
import { judgeRow, type RowVerdict, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import type { Sheet } from "@slabdesk/contract/sheet/sheet.ts";
import { count } from "../counts.ts";

/**
 * A noteworthy line of the sheet: where it is ("line 17", "b.csv, line 17"), the typed value, its interpretation if
 * different, and a message.
 */
export type LineNote = { line: number; where: string; typed: string; becomes?: string; message: string };

export type LineNotes = { count: number; notes: LineNote[] };

/**
 * A sheet's contents before any call. `ready` + `duplicates` + `damaged.count` is the number of rows. A duplicate
 * repeats a certificate from an earlier row; it is looked up once and fills every row. `suggested` holds the rows with a
 * suggested company.
 */
export type SheetSummary = {
  rowCount: number;
  ready: number;
  duplicates: number;
  byCompany: Record<Company, number>;
  suggested: LineNotes & { byCompany: Record<Company, number> };
  repaired: LineNotes;
  damaged: LineNotes;
  unreadablePrices: LineNotes;
};

/** A sheet's summary with the companies as typed, and with the suggested companies accepted. */
export type SheetSummaries = { asTyped: SheetSummary; accepted: SheetSummary };

/** Maximum notes listed per kind; the count can be higher. */
export const NOTES_LISTED = 100;

/**
 * Judges every row with the server's code. Computes both summaries in one pass, because most rows have the same verdict
 * in both.
 */
export function summarizeSheet({ header, rows }: Pick<Sheet, "header" | "rows">): SheetSummaries {
  const asTyped = newTally(header);
  const accepted = newTally(header);
  for (const row of rows) {
    const verdict = judgeRow(row);
    addRow(asTyped, row, verdict);
    addRow(accepted, row, verdict.suggestion === null ? verdict : judgeRow(row, { acceptCompanies: true }));
  }
  return { asTyped: asTyped.summary, accepted: accepted.summary };
}

type Tally = { header: readonly string[]; seen: Set<string>; summary: SheetSummary };

function newTally(header: readonly string[]): Tally {
  const none = (): LineNotes => ({ count: 0, notes: [] });
  const perCompany = (): Record<Company, number> => ({ PSA: 0, CGC: 0, TAG: 0 });
  return {
    header,
    seen: new Set(),
    summary: {
      rowCount: 0,
      ready: 0,
      duplicates: 0,
      byCompany: perCompany(),
      suggested: { ...none(), byCompany: perCompany() },
      repaired: none(),
      damaged: none(),
      unreadablePrices: none(),
    },
  };
}

function addRow({ header, seen, summary }: Tally, row: SheetRow, verdict: RowVerdict): void {
  const note = (notes: LineNotes, about: () => Omit<LineNote, "line" | "where" | "typed">, typed = row.certNumber) => {
    notes.count += 1;
    if (notes.notes.length < NOTES_LISTED)
      notes.notes.push({ line: row.line, where: originOf(header, row), typed, ...about() });
  };
  summary.rowCount += 1;
  const { suggestion } = verdict;
  if (suggestion !== null) {
    summary.suggested.byCompany[suggestion] += 1;
    note(summary.suggested, () => ({ becomes: suggestion, message: sheetSays(row) }));
  }
  if (parsePrice(row.price).kind === "unreadable")
    note(summary.unreadablePrices, () => ({ message: "not an amount; it is kept as typed" }), row.price);
  if (verdict.kind === "invalid") {
    note(summary.damaged, () => ({ message: [verdict.message, adviceFor(row, verdict) ?? []].flat().join(". ") }));
    return;
  }
  const { company, certNumber, repairs } = verdict;
  if (repairs.length > 0) note(summary.repaired, () => ({ becomes: certNumber, message: repairMessage(repairs) }));
  const cert = `${company} ${certNumber}`;
  if (seen.has(cert)) {
    summary.duplicates += 1;
    return;
  }
  seen.add(cert);
  summary.ready += 1;
  summary.byCompany[company] += 1;
}

function repairMessage(repairs: readonly CertRepair[]): string {
  return repairs.map((repair) => REPAIR_LABELS[repair]).join(", ");
}

function sheetSays({ gradingCompany, sheetCard }: SheetRow): string {
  const typed = (sheetCard?.company ?? gradingCompany).trim();
  return typed === "" ? "The sheet names no company" : `The sheet says ${typed}`;
}

type Damage = Extract<RowVerdict, { kind: "invalid" }>;

/** Advice for a row that can't be looked up; null if the row's own message suffices. */
export function adviceFor(
  { certNumber, gradingCompany }: Pick<SheetRow, "certNumber" | "gradingCompany">,
  { suggestion, outcome }: Damage,
): string | null {
  if (certNumber.trim() === "") return "Type the number from the slab's label into the sheet, or scan it";
  if (suggestion !== null) return `“Accept all” in the plan looks it up at ${suggestion}, which its number names`;
  if (gradingCompany.trim() === "") return "The number does not tell its company: write it into the sheet";
  return outcome === "invalid_row" ? "The row stays in your sheet with this remark" : null;
}

/** "28 PSA · 9 CGC": the number of rows per company. */
export function companyShares(byCompany: Record<Company, number>): string {
  return COMPANIES.filter((company) => byCompany[company] > 0)
    .map((company) => `${count(byCompany[company])} ${company}`)
    .join(" · ");
}

import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { parseCertNumber, REPAIR_LABELS } from "@slabdesk/contract/certs/cert-number.ts";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import { originOf } from "@slabdesk/contract/sheet/combine.ts";
import { parsePrice } from "@slabdesk/contract/sheet/price.ts";
import { companyFromNumber, judgeRow, type RowVerdict, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import type { Sheet } from "@slabdesk/contract/sheet/sheet.ts";

/** Noteworthy lines of the sheet: where each is ("line 17", "b.csv, line 17"), the typed value, and a message. */
export type LineNotes = { count: number; notes: { line: number; where: string; typed: string; message: string }[] };

/**
 * A sheet's contents before any call. `ready` + `duplicates` + `toFix` is the number of rows. A duplicate repeats a
 * certificate from an earlier row; it is looked up once and fills every row. `guessed` rows have their company from the
 * number, `suggested` ones could have. `fingerprint` is equal for sheets with the same cards, prices, and notes.
 */
export type SheetSummary = ReturnType<typeof summarizeSheet>["summary"];

/** What happens to a line: looked up as it is, after a repair, or with a guessed company; or not on its own. */
export type LineState = "ready" | "repaired" | "guessed" | "duplicate" | "fix";

/** A line with its verdict. The fields are as typed, the company as chosen or guessed. `becomes`: the repaired number. */
export type SheetLine = {
  line: number;
  where: string;
  certNumber: string;
  gradingCompany: string;
  price: string;
  notes: string;
  state: LineState;
  isGuessed: boolean;
  message: string;
  becomes: string | null;
  suggestion: Company | null;
};

/** Maximum notes listed per kind; the count can be higher. */
export const NOTES_LISTED = 100;

/** Judges every row with the server's code. */
export function summarizeSheet({ header, rows }: Pick<Sheet, "header" | "rows">) {
  const summary = {
    rowCount: rows.length,
    ready: 0,
    duplicates: 0,
    toFix: 0,
    guessed: 0,
    suggested: 0,
    byCompany: { PSA: 0, CGC: 0, TAG: 0 },
    fingerprint: fingerprintOf(rows),
  };
  const firstLines = new Map<string, string>();
  const lines = rows.map((row): SheetLine => {
    const verdict = judgeRow(row);
    const where = originOf(header, row).replace(/^line /, "");
    const { line, certNumber, gradingCompany, price, notes } = row;
    const typed = { line, where, certNumber, gradingCompany, price, notes, suggestion: verdict.suggestion };
    if (verdict.suggestion !== null) summary.suggested += 1;
    if (verdict.kind === "invalid") {
      summary.toFix += 1;
      return { ...typed, state: "fix", isGuessed: false, message: fixMessage(row, verdict), becomes: null };
    }
    const cert = `${verdict.company} ${verdict.certNumber}`;
    const isGuessed = companyFromNumber(row) !== null;
    const becomes = verdict.repairs.length > 0 ? verdict.certNumber : null;
    const messages = [
      ...(isGuessed ? ["guessed from the number"] : []),
      ...(becomes === null ? [] : [verdict.repairs.map((repair) => REPAIR_LABELS[repair]).join(", ")]),
      ...(parsePrice(row.price).kind === "unreadable" ? ["the cost isn't an amount and stays as typed"] : []),
    ];
    if (isGuessed) summary.guessed += 1;
    const first = firstLines.get(cert);
    if (first !== undefined) {
      summary.duplicates += 1;
      const message = [`of ${first}, looked up once`, ...messages].join("; ");
      return { ...typed, state: "duplicate", isGuessed, message, becomes };
    }
    firstLines.set(cert, originOf(header, row));
    summary.ready += 1;
    summary.byCompany[verdict.company] += 1;
    const state = isGuessed ? "guessed" : becomes === null ? "ready" : "repaired";
    return { ...typed, state, isGuessed, message: messages.join("; "), becomes };
  });
  return { summary, lines };
}

/** Two hashes. `crypto.subtle` needs https, and nothing depends on their strength. */
function fingerprintOf(rows: Sheet["rows"]): string {
  let [one, other] = [0, 0];
  for (const { certNumber, gradingCompany, price, notes } of rows) {
    const text = `${certNumber}\t${gradingCompany}\t${price}\t${notes}\n`;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      one = (one * 131 + code) % 4_294_967_291;
      other = (other * 65_599 + code) % 4_294_967_279;
    }
  }
  return `${rows.length}-${one.toString(36)}${other.toString(36)}`;
}

/** Why a row can't be looked up, and what to do. */
function fixMessage(
  { certNumber, gradingCompany }: SheetRow,
  { suggestion, outcome, message }: Extract<RowVerdict, { kind: "invalid" }>,
): string {
  if (certNumber.trim() === "") return "No cert number. Type it from the slab's label, or scan it";
  if (suggestion !== null && gradingCompany.trim() === "")
    return `No grading company. Its number looks like ${suggestion}`;
  if (outcome === "invalid_row" && gradingCompany.trim() === "") return noCompanyMessage(certNumber);
  return message;
}

/** A company doesn't help if the cell holds no company's number. */
function noCompanyMessage(certNumber: string): string {
  const readings = COMPANIES.map((company) => parseCertNumber(company, certNumber));
  if (readings.some(({ ok }) => ok)) return "Can't tell the company. Choose it here";
  const lost = readings.find((reading) => !reading.ok && reading.reason === "digits_lost");
  if (lost?.ok === false) return lost.message;
  return `“${cutText(certNumber.trim(), 40)}” isn't a cert number. Type it from the slab's label`;
}

import { FORMS, isCertNumber, parseCertUrl } from "./cert-text.ts";
import { COMPANIES, parseCompany, type Company } from "./company.ts";
import { REFUSAL_CASES } from "./refusals.ts";
import { REPAIR_CASES, REPAIRS_AROUND, REPAIRS_WITHIN, type CertRepair } from "./repairs.ts";
import { cutText } from "./text.ts";

export type { CertRepair };

/** `looksLike` is the only other company whose format a rejected cell matches. */
export type CertNumberReading =
  | { ok: true; certNumber: string; repairs: CertRepair[] }
  | { ok: false; reason: "digits_lost" | "wrong_form"; message: string; looksLike: Company | null };

export const REPAIR_LABELS: Readonly<Partial<Record<CertRepair, string>>> = Object.fromEntries(
  REPAIR_CASES.map(({ name, message }) => [name, message]),
);

/** No number, link or formula is longer. Longer cells aren't parsed. */
const LONGEST_CELL = 300;

/**
 * Parses a cert number from a cell, and repairs damage by spreadsheets and people (`repairs.ts`). Rejects the cell if
 * digits are lost or would have to be guessed. A wrong guess would fetch another card.
 */
export function parseCertNumber(company: Company, cell: string): CertNumberReading {
  const reading = readAs(company, cell);
  if (reading.ok || reading.reason === "digits_lost") return reading;
  const other = COMPANIES.find((each) => each !== company && isNumberOf(each, cell));
  if (other === undefined) return reading;
  const what = parseCertUrl(cell)
    ? `This is a link to a ${other} certificate, but the company column says ${company}`
    : `${wrongForm(company, cell)}. This looks like a ${other} number`;
  const message = `${what}. Correct the company, or compare the number with the label`;
  return { ok: false, reason: "wrong_form", message, looksLike: other };
}

/** True if the cell parses as a company's number without added digits. A link identifies its company by itself. */
export function isNumberOf(company: Company, cell: string): boolean {
  if (isCertNumber(company, cell)) return true;
  const reading = readAs(company, cell);
  if (!reading.ok) return false;
  return reading.repairs.includes("read_from_link") || !reading.repairs.includes("leading_zero_restored");
}

function readAs(company: Company, cell: string): CertNumberReading {
  if (isCertNumber(company, cell)) return { ok: true, certNumber: cell, repairs: [] };
  if (cell.length > LONGEST_CELL) return refused("wrong_form", `${wrongForm(company, cell)}. ${COMPARE}`);
  const repairs: CertRepair[] = [];
  const apply = (text: string, { name, how }: (typeof REPAIR_CASES)[number]): string => {
    const repaired = how(text, company);
    if (repaired !== text) repairs.push(name);
    return repaired;
  };
  const bare = REPAIRS_AROUND.reduce(apply, cell.trim());
  for (const { reason, message: describe } of REFUSAL_CASES) {
    const message = describe(bare, company);
    if (message) return refused(reason, message);
  }
  const certNumber = REPAIRS_WITHIN.reduce(apply, bare);
  if (!isCertNumber(company, certNumber)) return refused("wrong_form", `${wrongForm(company, cell)}. ${COMPARE}`);
  return { ok: true, certNumber, repairs };
}

const COMPARE = "Compare it with the label";

function wrongForm(company: Company, cell: string): string {
  const typed = cell.trim();
  const shown = typed.length > 40 ? `${cutText(typed, 40)}…` : typed;
  return `${company} cert numbers have ${FORMS[company].message}, not "${shown}"`;
}

function refused(reason: "digits_lost" | "wrong_form", message: string): CertNumberReading {
  return { ok: false, reason, message, looksLike: null };
}

/**
 * Parses a number together with its company. `reading` is null if the company isn't supported. `suggestion` is the
 * company that the number's format or link indicates if the company cell is empty or contradicts the number. Null if
 * they agree, if the cell names an unsupported company, or if the format is inconclusive.
 */
export function readSheetCert(
  certCell: string,
  companyCell: string,
): { reading: CertNumberReading | null; suggestion: Company | null } {
  const named = companyIn(companyCell);
  if (named === null) {
    const suggestion = companyCell.trim() === "" ? COMPANIES.find((company) => isNumberOf(company, certCell)) : null;
    return { reading: null, suggestion: suggestion ?? null };
  }
  const reading = parseCertNumber(named, certCell);
  if (!reading.ok) return { reading, suggestion: reading.looksLike };
  return { reading, suggestion: parseCompany(companyCell) === named ? null : named };
}

/** The company at the start of a cell. "PSA 10" and "psa/dna" indicate PSA, but aren't exact company names. */
export function companyIn(cell: string): Company | null {
  const word = /^\s*([a-z]{3})(?![a-z])/i.exec(cell)?.[1];
  return word === undefined ? null : parseCompany(word);
}

import { COMPANIES, type Company } from "./company.ts";
import { cutText } from "../sheet/text.ts";
import { parseCertUrl } from "./cert-url.ts";

/**
 * A certificate number is text, never a number: PSA's leading zeros are real ("01020688").
 *
 * Forms in the wild (77 TAG, 43 PSA and 20 CGC certificates observed, 2025-2026):
 *   PSA  8 digits zero-padded, or 9
 *   CGC  7+3 or 10+3 digits, printed with a dash before the last three
 *   TAG  one letter and 7 digits
 */
const CANONICAL: Record<Company, RegExp> = {
  PSA: /^\d{8,9}$/,
  CGC: /^(\d{10}|\d{13})$/,
  TAG: /^[A-Z]\d{7}$/,
};

/** "PSA 12345678" and "psa-12345678": the company's own name before its number. */
const COMPANY_PREFIX: Record<Company, RegExp> = {
  PSA: /^PSA(?=[^A-Z])[\s:#_-]*/i,
  CGC: /^CGC(?=[^A-Z])[\s:#_-]*/i,
  TAG: /^TAG(?=[^A-Z])[\s:#_-]*/i,
};

const FORM_IN_WORDS: Record<Company, string> = {
  PSA: "8 or 9 digits",
  CGC: "10 or 13 digits",
  TAG: "one letter and 7 digits",
};

/** What was done to a number before it could be looked up; shown to staff, never done silently. */
export type CertRepair =
  | "space_removed"
  | "apostrophe_removed"
  | "formula_removed"
  | "company_prefix_removed"
  | "hash_removed"
  | "thousands_separator_removed"
  | "decimal_zero_removed"
  | "dash_removed"
  | "leading_zero_restored"
  | "letter_capitalized"
  | "digits_normalized"
  | "read_from_link";

export type CertNumberReading =
  | { ok: true; certNumber: string; repairs: CertRepair[] }
  | { ok: false; reason: "digits_lost" | "wrong_form"; message: string };

/** A spreadsheet's number format: "1.45531E+08". TAG numbers start with a letter, so they never look like it. */
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E\+?\d+$/i;
/** What a spreadsheet shows when a column is too narrow for a number. */
const NARROW_COLUMN = /^#{2,}$/;
/** What a spreadsheet shows in place of a value that it could not work out: "#REF!", "#N/A". */
const SHEET_ERROR = /^#(?:N\/A|NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|SPILL!|CALC!|GETTING_DATA)$/i;
const QUOTES = "['\"\u2018\u2019\u201c\u201d`]+";

/**
 * Reads a certificate number as it stands in a cell, repairing what spreadsheets and people do to it.
 *
 * A number whose digits a spreadsheet has dropped is refused before any call, as guessing would fetch somebody else's
 * card.
 */
export function parseCertNumber(company: Company, cell: string): CertNumberReading {
  const { text: typed, repairs } = unwrapCell(cell);
  const link = parseCertUrl(typed);
  if (link) {
    if (link.company !== company) {
      return wrongForm(`This is a link to a ${link.company} certificate, the company column says ${company}`);
    }
    return { ok: true, certNumber: link.certNumber, repairs: [...repairs, "read_from_link"] };
  }

  const lost = lostDigits(typed);
  if (lost) return { ok: false, reason: "digits_lost", message: lost };
  const text = repairNumber(company, typed, repairs);
  if (!CANONICAL[company].test(text)) {
    const other = guessCompany(text);
    const hint = other && other !== company ? ` This looks like a ${other} number` : "";
    return wrongForm(`${company} certificate numbers have ${FORM_IN_WORDS[company]}, not "${shorten(cell)}".${hint}`);
  }
  return { ok: true, certNumber: text, repairs };
}

type Repairing = { text: string; repairs: CertRepair[] };

function apply(repairing: Repairing, name: CertRepair, pattern: RegExp, replacement = ""): void {
  const repaired = repairing.text.replace(pattern, replacement);
  if (repaired !== repairing.text && !repairing.repairs.includes(name)) repairing.repairs.push(name);
  repairing.text = repaired;
}

/** Takes off what a spreadsheet puts around a number to keep it text: `'0102`, `="0102"`, wide digits. */
function unwrapCell(cell: string): Repairing {
  const repairing: Repairing = { text: cell.trim(), repairs: [] };
  apply(repairing, "formula_removed", /^='?"([^"]*)"$/, "$1");
  apply(repairing, "apostrophe_removed", new RegExp(`^${QUOTES}|${QUOTES}$`, "g"));
  const plain = repairing.text.normalize("NFKC").trim();
  if (/[\uff10-\uff19]/.test(repairing.text)) repairing.repairs.push("digits_normalized");
  if (/[\uff01-\uff5e]/.test(repairing.text)) repairing.text = plain;
  return repairing;
}

function lostDigits(text: string): string | null {
  if (SCIENTIFIC.test(text)) {
    return `The spreadsheet shortened this number to ${text}, digits are lost. Format the column as text and type it again, or scan the label`;
  }
  if (NARROW_COLUMN.test(text)) {
    return "The column was too narrow when the sheet was saved, so it holds only number signs. Widen the column and save again, or scan the label";
  }
  if (SHEET_ERROR.test(text)) {
    return `The spreadsheet holds the error ${text} in place of a number. Mend the cell and save again, or scan the label`;
  }
  return null;
}

function repairNumber(company: Company, typed: string, repairs: CertRepair[]): string {
  const repairing: Repairing = { text: typed, repairs };
  apply(repairing, "company_prefix_removed", COMPANY_PREFIX[company]);
  apply(repairing, "hash_removed", /^(?:cert(?:ificate|ification)?\.?)?\s*(?:#|no\.?|number)\s*:?\s*/i);
  apply(repairing, "thousands_separator_removed", /^\d{1,3}(?:([,.'\u2019])\d{3})(?:\1\d{3})+$/, joinGroups(repairing));
  apply(repairing, "space_removed", /[\s\u00a0\u200b-\u200d\u2060\ufeff]+/g);
  apply(repairing, "decimal_zero_removed", /^(\d+)[.,]0+$/, "$1");
  apply(repairing, "dash_removed", /[-\u2010-\u2015\u2212]/g);
  if (company === "TAG" && /^[a-z]/.test(repairing.text)) {
    repairing.text = repairing.text.toUpperCase();
    repairs.push("letter_capitalized");
  }
  if (company === "PSA" && /^\d{6,7}$/.test(repairing.text)) {
    repairing.text = repairing.text.padStart(8, "0");
    repairs.push("leading_zero_restored");
  }
  return repairing.text;
}

/** The digits of a number that was grouped by thousands. */
function joinGroups({ text }: Repairing): string {
  return text.replaceAll(/\D/g, "");
}

/** Length and first letter alone separate the three companies. Null when the number fits none. */
export function guessCompany(certNumber: string): Company | null {
  return COMPANIES.find((company) => CANONICAL[company].test(certNumber)) ?? null;
}

/** How a repair reads beside the row. */
export const REPAIR_WORDS: Record<CertRepair, string> = {
  space_removed: "spaces removed",
  apostrophe_removed: "apostrophe removed",
  formula_removed: "formula removed",
  company_prefix_removed: "company name removed",
  hash_removed: "number sign removed",
  thousands_separator_removed: "thousands separators removed",
  decimal_zero_removed: "decimal zero removed",
  dash_removed: "dash removed",
  leading_zero_restored: "leading zero restored",
  letter_capitalized: "letter capitalized",
  digits_normalized: "wide digits made plain",
  read_from_link: "read from a link",
};

function wrongForm(message: string): CertNumberReading {
  return { ok: false, reason: "wrong_form", message };
}

function shorten(text: string): string {
  return text.length > 40 ? `${cutText(text, 40)}…` : text;
}

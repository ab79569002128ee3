import type { Company } from "./company.ts";
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
  PSA: /^PSA(?=[^A-Z])[\s:#-]*/i,
  CGC: /^CGC(?=[^A-Z])[\s:#-]*/i,
  TAG: /^TAG(?=[^A-Z])[\s:#-]*/i,
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
  | "company_prefix_removed"
  | "hash_removed"
  | "decimal_zero_removed"
  | "dash_removed"
  | "leading_zero_restored"
  | "letter_capitalized"
  | "read_from_link";

export type CertNumberReading =
  | { ok: true; certNumber: string; repairs: CertRepair[] }
  | { ok: false; reason: "digits_lost" | "wrong_form"; message: string };

/** A spreadsheet's number format: "1.45531E+08". TAG numbers start with a letter, so they never look like it. */
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E\+?\d+$/i;

/**
 * Reads a certificate number as it stands in a cell, repairing what spreadsheets and people do to it.
 *
 * A number in scientific notation has lost digits for good: it is refused before any call, as guessing
 * would fetch somebody else's card.
 */
export function parseCertNumber(company: Company, cell: string): CertNumberReading {
  const link = parseCertUrl(cell);
  if (link) {
    if (link.company !== company) {
      return wrongForm(`This is a link to a ${link.company} certificate, the company column says ${company}`);
    }
    return { ok: true, certNumber: link.certNumber, repairs: ["read_from_link"] };
  }

  const repairs: CertRepair[] = [];
  const step = (name: CertRepair, text: string, pattern: RegExp, replacement = ""): string => {
    const repaired = text.replace(pattern, replacement);
    if (repaired !== text && !repairs.includes(name)) repairs.push(name);
    return repaired;
  };

  let text = cell.trim();
  text = step("apostrophe_removed", text, /^['\u2018\u2019`]+|['\u2018\u2019`]+$/g);
  if (SCIENTIFIC.test(text)) {
    return {
      ok: false,
      reason: "digits_lost",
      message: `The spreadsheet shortened this number to ${text}, digits are lost. Format the column as text and type it again, or scan the label`,
    };
  }
  text = step("company_prefix_removed", text, COMPANY_PREFIX[company]);
  text = step("hash_removed", text, /^(?:cert(?:ificate)?\.?)?\s*(?:#|no\.?)\s*/i);
  text = step("space_removed", text, /[\s\u00a0\u200b-\u200d\u2060\ufeff]+/g);
  text = step("decimal_zero_removed", text, /^(\d+)[.,]0+$/, "$1");
  text = step("dash_removed", text, /[-\u2010-\u2015]/g);

  if (company === "TAG" && /^[a-z]/.test(text)) {
    text = text.toUpperCase();
    repairs.push("letter_capitalized");
  }
  if (company === "PSA" && /^\d{7}$/.test(text)) {
    text = `0${text}`;
    repairs.push("leading_zero_restored");
  }
  if (!CANONICAL[company].test(text)) {
    const other = guessCompany(text);
    const hint = other && other !== company ? ` This looks like a ${other} number` : "";
    return wrongForm(`${company} certificate numbers have ${FORM_IN_WORDS[company]}, not "${shorten(cell)}".${hint}`);
  }
  return { ok: true, certNumber: text, repairs };
}

/** Length and first letter alone separate the three companies. Null when the number fits none. */
export function guessCompany(certNumber: string): Company | null {
  if (CANONICAL.TAG.test(certNumber)) return "TAG";
  if (CANONICAL.CGC.test(certNumber)) return "CGC";
  if (CANONICAL.PSA.test(certNumber)) return "PSA";
  return null;
}

/** How a repair reads beside the row. */
export const REPAIR_WORDS: Record<CertRepair, string> = {
  space_removed: "spaces removed",
  apostrophe_removed: "apostrophe removed",
  company_prefix_removed: "company name removed",
  hash_removed: "number sign removed",
  decimal_zero_removed: "decimal zero removed",
  dash_removed: "dash removed",
  leading_zero_restored: "leading zero restored",
  letter_capitalized: "letter capitalized",
  read_from_link: "read from a link",
};

function wrongForm(message: string): CertNumberReading {
  return { ok: false, reason: "wrong_form", message };
}

function shorten(text: string): string {
  return text.length > 40 ? `${cutText(text, 40)}…` : text;
}

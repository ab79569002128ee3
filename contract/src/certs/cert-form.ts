import type { Company } from "./company.ts";

/**
 * A certificate number is text, never a number: PSA's leading zeros are real ("01020688").
 *
 * Forms in the wild (77 TAG, 43 PSA and 20 CGC certificates observed, 2025-2026):
 *   PSA  8 digits zero-padded, or 9
 *   CGC  7+3 or 10+3 digits, printed with a dash before the last three
 *   TAG  one letter and 7 digits
 *
 * Length and first letter alone separate the three.
 */
const FORMS: Record<Company, { pattern: RegExp; message: string }> = {
  PSA: { pattern: /^\d{8,9}$/, message: "8 or 9 digits" },
  CGC: { pattern: /^(?:\d{10}|\d{13})$/, message: "10 or 13 digits" },
  TAG: { pattern: /^[A-Z]\d{7}$/, message: "one letter and 7 digits" },
};

/** True when the text is a certificate number as the company itself writes it, without its dash. */
export function isCertNumber(company: Company, text: string): boolean {
  return FORMS[company].pattern.test(text);
}

/** "8 or 9 digits": a company's form for staff. */
export function formInMessage(company: Company): string {
  return FORMS[company].message;
}

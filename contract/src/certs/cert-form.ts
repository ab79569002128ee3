import type { Company } from "./company.ts";

/**
 * A cert number is text, not a number. PSA's leading zeros are significant ("01020688").
 *
 * Observed formats (77 TAG, 43 PSA and 20 CGC certificates, 2025-2026):
 *   PSA  8 digits with leading zeros, or 9
 *   CGC  7+3 or 10+3 digits, printed with a dash before the last three
 *   TAG  one letter and 7 digits
 *
 * The length and the first letter identify the company.
 */
const FORMS: Record<Company, { pattern: RegExp; message: string }> = {
  PSA: { pattern: /^\d{8,9}$/, message: "8 or 9 digits" },
  CGC: { pattern: /^(?:\d{10}|\d{13})$/, message: "10 or 13 digits" },
  TAG: { pattern: /^[A-Z]\d{7}$/, message: "one letter and 7 digits" },
};

/** True if the text is a cert number in the company's own format, without the dash. */
export function isCertNumber(company: Company, text: string): boolean {
  return FORMS[company].pattern.test(text);
}

export function formInMessage(company: Company): string {
  return FORMS[company].message;
}

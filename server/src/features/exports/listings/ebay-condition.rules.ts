import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import { parseCompany, type Company } from "@slabdesk/contract/certs/company.ts";

/* eBay's condition descriptors for trading cards, with the ids that three public clients use (docs/exports.md). */

/** Condition ID "Graded". */
export const GRADED = "2750";

const GRADERS: Record<Company, string> = {
  PSA: "Professional Sports Authenticator (PSA) - (ID: 275010)",
  CGC: "Certified Guaranty Company (CGC) - (ID: 275015)",
  TAG: "Technical Authentication & Grading (TAG) - (ID: 2750115)",
};

/** Grades without a number, as the companies print them. */
const WORDS: Record<string, string> = {
  AUTHENTIC: "Authentic - (ID: 2750219)",
  AUTH: "Authentic - (ID: 2750219)",
  "AUTHENTIC ALTERED": "Authentic Altered - (ID: 2750220)",
  "AUTHENTIC TRIMMED": "Authentic - Trimmed - (ID: 2750221)",
  "AUTHENTIC COLOURED": "Authentic - Coloured - (ID: 2750222)",
  "AUTHENTIC COLORED": "Authentic - Coloured - (ID: 2750222)",
};

/** Returns the cell of descriptor 27501. Empty if eBay has no value for the company. */
export function graderCell(company: string): string {
  const known = parseCompany(company);
  return known === null ? "" : GRADERS[known];
}

/**
 * Returns the cell of descriptor 27502. eBay has values for numbers and four kinds of Authentic. Pristine 10 maps to
 * 10; qualifiers appear only in title and description. Empty if eBay has no value for the grade; eBay then asks for it.
 */
export function gradeCell(grade: string | null): string {
  const message = (grade ?? "")
    .toUpperCase()
    .replace(/[^A-Z0-9.]+/g, " ")
    .trim();
  const authentic = WORDS[message];
  if (authentic !== undefined) return authentic;
  // "AUTHENTIC AUTO 10" grades the signature, not the card.
  if (/AUTH|AUTO/.test(message)) return "";
  const number = parseNumericGrade(message);
  if (number === null || number < 1 || number > 10 || !Number.isInteger(number * 2)) return "";
  // The ids count down in half grades: 10 is 275020, 9.5 is 275021, and 1 is 2750218.
  return `${number} - (ID: 27502${(10 - number) * 2})`;
}

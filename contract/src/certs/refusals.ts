import { EXPONENT, isGrouped, isWholeNumber, SHEET_ERROR, withDigitsForLetters, wordsOf } from "./cert-text.ts";
import type { Company } from "./company.ts";

/**
 * Damage whose repair would be a guess. `message` tells staff what is wrong and what to do, or returns null if the case
 * doesn't apply.
 */
type RefusalCase = {
  reason: "digits_lost" | "wrong_form";
  /** The problem, as a heading. */
  title: string;
  message: (text: string, company: Company) => string | null;
  examples: readonly (readonly [company: Company, typed: string, message: string])[];
};

/**
 * Checked between the two groups of repairs, because a wrong guess would fetch another card. The first match is
 * reported.
 */
export const REFUSAL_CASES: readonly RefusalCase[] = [
  {
    reason: "digits_lost",
    title: "Digits lost to E notation",
    message: (text) =>
      EXPONENT.test(text)
        ? `The spreadsheet shortened this number to ${text}, so digits are lost. Format the column as text and type it again, or scan the label`
        : null,
    examples: [
      [
        "PSA",
        "1.45531E+08",
        "The spreadsheet shortened this number to 1.45531E+08, so digits are lost. Format the column as text and type it again, or scan the label",
      ],
      ["PSA", "1,45531E+08", "digits are lost"],
      ["PSA", "1.45531e8", "digits are lost"],
      ["PSA", "1.45531E+008", "digits are lost"],
      ["CGC", "1.40102E+12", "digits are lost"],
      ["CGC", "1,40102 E+12", "digits are lost"],
      ["CGC", "1e12", "digits are lost"],
    ],
  },
  {
    reason: "digits_lost",
    title: "A column too narrow for its numbers",
    message: (text) =>
      /^#{2,}$/.test(text)
        ? "The column was too narrow when the sheet was saved, so it contains only number signs. Widen the column and save again, or scan the label"
        : null,
    examples: [["PSA", "########", "Widen the column and save again, or scan the label"]],
  },
  {
    reason: "digits_lost",
    title: "A spreadsheet error",
    message: (text) =>
      SHEET_ERROR.test(text)
        ? `The spreadsheet contains the error ${text} instead of a number. Fix the cell and save again, or scan the label`
        : null,
    examples: [
      ["PSA", "#REF!", "the error #REF! instead of a number"],
      ["PSA", "#N/A", "the error #N/A instead of a number"],
      ["PSA", "#NV", "the error #NV instead of a number"],
      ["PSA", "#WERT!", "Fix the cell and save again"],
      ["CGC", "#NAME?", "Fix the cell and save again"],
    ],
  },
  {
    reason: "wrong_form",
    title: "A formula instead of its result",
    message: (text) =>
      text.startsWith("=")
        ? "The cell contains a formula instead of a number. Copy the column, paste it as values and save again"
        : null,
    examples: [["PSA", "=VLOOKUP(A2,B:C,2,FALSE)", "paste it as values and save again"]],
  },
  {
    reason: "wrong_form",
    title: "Several numbers in one cell",
    message: (text) => {
      const count = wordsOf(text).filter(isWholeNumber).length;
      return count > 1 ? `The cell contains ${count} certificate numbers. Give each its own row` : null;
    },
    examples: [
      ["PSA", "98174651, 98174652", "The cell contains 2 certificate numbers. Give each its own row"],
      ["PSA", "98174651 / C1240631", "2 certificate numbers"],
      ["PSA", "98174651-98174653", "2 certificate numbers"],
      ["PSA", "98174651\n98174652\n98174653", "3 certificate numbers"],
    ],
  },
  {
    reason: "wrong_form",
    title: "Something besides the number",
    message: (text, company) =>
      wordsOf(text).length > 1 &&
      wordsOf(text).some((word) => /^[a-z]?\d{6,}$/i.test(word)) &&
      !isGrouped(text, company)
        ? "The cell contains something besides the certificate number. Keep only the number, and move the rest to another column"
        : null,
    examples: [
      [
        "PSA",
        "98174651 (crack)",
        "The cell contains something besides the certificate number. Keep only the number, and move the rest to another column",
      ],
      ["PSA", "98174651 1", "something besides the certificate number"],
      ["PSA", "98174651-1", "something besides the certificate number"],
      ["PSA", "PSA 10 98174651", "something besides the certificate number"],
      ["PSA", "1020688 1", "something besides the certificate number"],
      ["CGC", "4135876101 9.5", "something besides the certificate number"],
      ["TAG", "C1240631 x2", "something besides the certificate number"],
    ],
  },
  {
    reason: "wrong_form",
    title: "A letter where a digit belongs",
    message: (text, company) => {
      const likely = withDigitsForLetters(text, company);
      return likely === null
        ? null
        : `This number has a letter where a digit belongs. If the label says ${likely}, type that`;
    },
    examples: [
      ["PSA", "9817465O", "This number has a letter where a digit belongs. If the label says 98174650, type that"],
      ["PSA", "98l74651", "If the label says 98174651, type that"],
      ["PSA", "9817465I", "If the label says 98174651, type that"],
      ["CGC", "4135876-1O1", "If the label says 4135876101, type that"],
      ["TAG", "C124O631", "If the label says C1240631, type that"],
      ["TAG", "c12406S1", "If the label says C1240651, type that"],
    ],
  },
];

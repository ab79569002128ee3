import { EXPONENT, isGrouped, isWholeNumber, SHEET_ERROR, withDigitsForLetters, wordsOf } from "./cert-text.ts";
import type { Company } from "./company.ts";

/** Damage whose repair would be a guess. `message` says what to do. A falsy one means that the case doesn't apply. */
type RefusalCase = {
  reason: "digits_lost" | "wrong_form";
  title: string;
  message: (text: string, company: Company) => string | false | null;
};

/** Checked between the two groups of repairs. A wrong guess would fetch another card. The first match counts. */
export const REFUSAL_CASES: readonly RefusalCase[] = [
  {
    reason: "digits_lost",
    title: "Digits lost to E notation",
    message: (text) =>
      EXPONENT.test(text) &&
      `The spreadsheet shortened this number to ${text}, so digits are lost. Format the column as text and type it again, or scan the label`,
  },
  {
    reason: "digits_lost",
    title: "A column too narrow for its numbers",
    message: (text) =>
      /^#{2,}$/.test(text) &&
      "The column was too narrow when the sheet was saved, so it contains only number signs. Widen the column and save again, or scan the label",
  },
  {
    reason: "digits_lost",
    title: "A spreadsheet error",
    message: (text) =>
      SHEET_ERROR.test(text) &&
      `The spreadsheet contains the error ${text} instead of a number. Fix the cell and save again, or scan the label`,
  },
  {
    reason: "wrong_form",
    title: "A formula instead of its result",
    message: (text) =>
      text.startsWith("=") &&
      "The cell contains a formula instead of a number. Copy the column, paste it as values and save again",
  },
  {
    reason: "wrong_form",
    title: "Several numbers in one cell",
    message: (text) => {
      const count = wordsOf(text).filter(isWholeNumber).length;
      return count > 1 && `The cell contains ${count} cert numbers. Give each its own row`;
    },
  },
  {
    reason: "wrong_form",
    title: "Something besides the number",
    message: (text, company) =>
      wordsOf(text).length > 1 &&
      wordsOf(text).some((word) => /^[a-z]?\d{6,}$/i.test(word)) &&
      !isGrouped(text, company) &&
      "The cell contains something besides the cert number. Keep only the number, and move the rest to another column",
  },
  {
    reason: "wrong_form",
    title: "A letter where a digit belongs",
    message: (text, company) => {
      const likely = withDigitsForLetters(text, company);
      return likely && `This number has a letter where a digit belongs. If the label says ${likely}, type that`;
    },
  },
];

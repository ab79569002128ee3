import { COMPANIES, type Company } from "./company.ts";

/**
 * A cert number is text, not a number. PSA's leading zeros are significant ("01020688"). The length and the first letter
 * identify the company (seen in 77 TAG, 43 PSA and 20 CGC certificates). CGC prints a dash before the last three digits.
 */
export const FORMS: Record<Company, { pattern: RegExp; message: string }> = {
  PSA: { pattern: /^\d{8,9}$/, message: "8 or 9 digits" },
  CGC: { pattern: /^(?:\d{10}|\d{13})$/, message: "10 or 13 digits" },
  TAG: { pattern: /^[A-Z]\d{7}$/, message: "one letter and 7 digits" },
};

/** Of a cert number of any company. */
const FEWEST_CHARACTERS = 8;
const MOST_DIGITS = 13;

/** True if the text is a cert number in the company's own format, without the dash. */
export function isCertNumber(company: Company, text: string): boolean {
  return FORMS[company].pattern.test(text);
}

/** Characters that quote text, or that keep a spreadsheet from converting it to a number, at either end. */
export const APOSTROPHES =
  /^['"`\u00b4\u2018-\u201f\u2032-\u2036\u2039\u203a\u00ab\u00bb\u02b9-\u02bd\uff07]{1,9}|['"`\u00b4\u2018-\u201f\u2032-\u2036\u2039\u203a\u00ab\u00bb\u02b9-\u02bd\uff07]{1,9}$/g;
export const DASHES = /[-\u2010-\u2015\u2043\u2212\ufe58\ufe63]/g;

/** Scientific notation: "1.45531E+08". TAG numbers start with a letter, so they never match. */
export const EXPONENT = /^(\d+)(?:[.,](\d+))?\s?E\+?(\d{1,3})$/i;

/** Spreadsheets write shorter numbers in full. */
const SHORTEST_EXPONENT = 6;

/** Expands a number in E notation. Null if digits were lost or the text isn't in E notation. */
export function wholeDigits(text: string): string | null {
  const [, whole = "", decimals = "", exponent = ""] = EXPONENT.exec(text) ?? [];
  return decimals.length >= SHORTEST_EXPONENT && decimals.length === Number(exponent) ? whole + decimals : null;
}

/** A spreadsheet's error value, in any language: "#REF!", "#N/A", "#NV". */
export const SHEET_ERROR = /^#(?:[\p{L}\p{N}/\u00a1]{1,20}[!?]|N\/?[ADV]|GETTING_DATA)$/iu;

/** The zero of each script found in sheets: full-width, Arabic, Persian, Devanagari. */
const ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966];

/** Full-width characters are this far from those of ASCII. */
const WIDE = 0xfee0;

export function plainDigits(text: string): string {
  // Not `normalize`: its time grows with the square of the number of combining marks.
  const narrow = text.replaceAll(/[\uff01-\uff5e]/g, (wide) => String.fromCodePoint((wide.codePointAt(0) ?? 0) - WIDE));
  return narrow.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    return String(code - (ZEROS.find((zero) => code >= zero && code < zero + 10) ?? code));
  });
}

export function wordsOf(text: string): string[] {
  return text.split(/[\s,;|/&+()\-\u2010-\u2015\u2212]+/).filter((word) => word !== "");
}

export function isWholeNumber(word: string): boolean {
  if (word.length < FEWEST_CHARACTERS || word.length > MOST_DIGITS) return false;
  return COMPANIES.some((company) => isCertNumber(company, word.toUpperCase()));
}

/** True for a number in groups: "9817 4651", CGC's last three digits apart, TAG's separate letter. */
export function isGrouped(text: string, company: Company): boolean {
  const groups = wordsOf(text);
  if (company === "CGC" && /^(?:\w{7}|\w{10}) \w{3}$/.test(groups.join(" "))) return true;
  if (company === "TAG" && /^[a-z] \d{7}$/i.test(groups.join(" "))) return true;
  return groups.every((group) => group.length <= 5);
}

const LOOKALIKES: Record<string, string> = { O: "0", Q: "0", D: "0", I: "1", L: "1", "|": "1", Z: "2", S: "5", B: "8" };
/** Text with more of these letters is a word, not a typo. */
const MOST_LOOKALIKES = 2;

/** The number with look-alike letters replaced by digits. Null if the result isn't a number of the company. */
export function withDigitsForLetters(text: string, company: Company): string | null {
  const joined = text.replaceAll(/\s/g, "").replaceAll(DASHES, "").toUpperCase();
  const head = company === "TAG" ? joined.slice(0, 1) : "";
  const rest = joined.slice(head.length);
  if (rest.length > MOST_DIGITS) return null;
  const digits = rest.replaceAll(/[OQDIL|ZSB]/g, (letter) => LOOKALIKES[letter] ?? letter);
  const count = Array.from(rest).filter((letter, at) => letter !== digits[at]).length;
  return count > 0 && count <= MOST_LOOKALIKES && isCertNumber(company, head + digits) ? head + digits : null;
}

/** The links in the codes on slabs. A spreadsheet may have dropped a PSA number's leading zeros. */
const TAIL = String.raw`(?:[/?#]\S*|[.,;:!)>\]]*)$`;
const LINKS: Record<Company, string> = {
  PSA: String.raw`(?:www\.|m\.)?psacard\.com/cert/(\d{6,9})`,
  CGC: String.raw`(?:www\.|m\.)?(?:cgccards|cgccomics)\.com/certlookup/(\d{7}-?\d{3}|\d{10}-?\d{3})`,
  TAG: String.raw`(?:my\.|www\.|m\.)?taggrading\.com/card/([a-z]\d{7})`,
};
const PATTERNS = COMPANIES.map((company) => ({ company, pattern: new RegExp(`^${LINKS[company]}${TAIL}`, "i") }));

/** The company and the number in a certificate link, else null. Repairs of the number are reported separately. */
export function parseCertUrl(text: string): { company: Company; number: string } | null {
  const address = text.trim().replace(/^[<([]?(?:https?:)?\/\//i, "");
  for (const { company, pattern } of PATTERNS) {
    const number = pattern.exec(address)?.[1];
    if (number !== undefined) return { company, number };
  }
  return null;
}

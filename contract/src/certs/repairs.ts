import { APOSTROPHES, COMPANY_BEFORE, COMPANY_BEHIND, DASHES, plainDigits, wholeDigits } from "./cert-text.ts";
import { parseCertUrl } from "./cert-url.ts";
import type { Company } from "./company.ts";

/*
 * The damage that spreadsheets, scanners and people do to a certificate number and that can be repaired: the repair and
 * its label. `refusals.ts` lists the damage that can't. Browser and server use only these two tables. The tests run
 * every example and compare docs/sheets.md with them.
 */

/** Damage that can be repaired reliably. `how` returns the text unchanged if there is nothing to repair. */
type RepairCase = {
  name: string;
  /** The label in the row's warnings: "apostrophe removed". */
  message: string;
  how: (text: string, company: Company) => string;
  /** The repair adds a digit. It is valid for the given company, but doesn't prove the company. */
  isGuess?: boolean;
  examples: readonly (readonly [company: Company, typed: string, repaired: string])[];
};

/** Damage around a number. Repaired first, in this order, so that the rest can be judged. */
export const REPAIRS_AROUND = [
  {
    name: "digits_normalized",
    message: "digits made plain",
    how: plainDigits,
    examples: [
      ["PSA", "９８１７４６５１", "98174651"],
      ["PSA", "ＰＳＡ９８１７４６５１", "98174651"],
      ["PSA", "٩٨١٧٤٦٥١", "98174651"],
      ["PSA", "۹۸۱۷۴۶۵۱", "98174651"],
      ["CGC", "１４０１０１９２８９－２９４", "1401019289294"],
    ],
  },
  {
    name: "invisible_removed",
    message: "invisible characters removed",
    how: (text) => text.replaceAll(/\p{Cf}|(?!\s)\p{Cc}/gu, "").trim(),
    examples: [
      ["PSA", "\u200b98174651", "98174651"],
      ["PSA", "\u202a98174651\u202c", "98174651"],
      ["PSA", "9817\ufeff4651", "98174651"],
      ["TAG", "C124\u00ad0631", "C1240631"],
      ["PSA", "9817\u00004651", "98174651"],
    ],
  },
  {
    name: "formula_removed",
    message: "formula removed",
    how: (text) =>
      text
        .replace(/^'?=\s*HYPERLINK\(\s*"([^"]*)".*\)$/is, "$1")
        .replace(/^'?=\s*(?:T\s*)?\(?\s*"([^"]*)"\s*\)?$/i, "$1")
        .replace(/^'?=\s*(\d+)$/, "$1")
        .trim(),
    examples: [
      ["PSA", '="01020688"', "01020688"],
      ["PSA", `'="01020688"`, "01020688"],
      ["PSA", '=T("01020688")', "01020688"],
      ["PSA", "=98174651", "98174651"],
      ["PSA", '=HYPERLINK("https://www.psacard.com/cert/98174651","98174651")', "98174651"],
      ["TAG", '=HYPERLINK("https://my.taggrading.com/card/C1240631";"C1240631")', "C1240631"],
    ],
  },
  {
    name: "apostrophe_removed",
    message: "apostrophe removed",
    how: (text) => text.replaceAll(APOSTROPHES, "").trim(),
    examples: [
      ["PSA", "'01020688", "01020688"],
      ["PSA", "''01020688", "01020688"],
      ["PSA", "\u201901020688", "01020688"],
      ["PSA", "\u201801020688\u2019", "01020688"],
      ["PSA", "`01020688", "01020688"],
      ["PSA", "\u00b401020688", "01020688"],
      ["PSA", "\u203201020688", "01020688"],
      ["PSA", '"01020688"', "01020688"],
      ["CGC", "\u201c4135876101\u201d", "4135876101"],
      ["CGC", "\u00ab4135876101\u00bb", "4135876101"],
    ],
  },
  {
    name: "read_from_link",
    message: "read from a link",
    how: (text, company) => {
      const link = parseCertUrl(text);
      return link?.company === company ? link.number : text;
    },
    examples: [
      ["PSA", "https://www.psacard.com/cert/98174651", "98174651"],
      ["PSA", "https://www.psacard.com/cert/98174651/psa", "98174651"],
      ["PSA", "HTTP://PSACARD.COM/CERT/98174651/", "98174651"],
      ["PSA", "psacard.com/cert/158363091?utm_source=qr", "158363091"],
      ["PSA", "m.psacard.com/cert/98174651.", "98174651"],
      ["PSA", "<https://www.psacard.com/cert/98174651>", "98174651"],
      ["PSA", "https://www.psacard.com/cert/1020688", "01020688"],
      ["CGC", "https://www.cgccards.com/certlookup/4135876101/9_5/", "4135876101"],
      ["CGC", "cgccards.com/certlookup/1401019289-294/", "1401019289294"],
      ["CGC", "http://www.cgccomics.com/certlookup/1401019289294#images", "1401019289294"],
      ["TAG", "https://my.taggrading.com/card/C1240631", "C1240631"],
      ["TAG", "my.taggrading.com/card/c1240631?ref=label", "C1240631"],
    ],
  },
  {
    name: "punctuation_removed",
    message: "punctuation removed",
    how: (text) =>
      text
        .replace(/^(?:<(.*)>|\((.*)\)|\[(.*)\])$/s, "$1$2$3")
        .replace(/[.,;:]{1,9}$/, "")
        .trim(),
    examples: [
      ["PSA", "98174651.", "98174651"],
      ["PSA", "98174651;", "98174651"],
      ["PSA", "(98174651)", "98174651"],
      ["TAG", "[C1240631]", "C1240631"],
    ],
  },
  {
    name: "company_prefix_removed",
    message: "company name removed",
    how: (text, company) => text.replace(COMPANY_BEFORE[company], "").replace(COMPANY_BEHIND[company], ""),
    examples: [
      ["PSA", "PSA-98174651", "98174651"],
      ["PSA", "psa #98174651", "98174651"],
      ["PSA", "PSA98174651", "98174651"],
      ["PSA", "PSA/DNA 98174651", "98174651"],
      ["PSA", "PSA: 98174651", "98174651"],
      ["PSA", "98174651 PSA", "98174651"],
      ["PSA", "98174651 (PSA)", "98174651"],
      ["CGC", "CGC-4135876101", "4135876101"],
      ["CGC", "CGC 1401019289-294", "1401019289294"],
      ["TAG", "TAG-C1240631", "C1240631"],
      ["TAG", "tag c1240631", "C1240631"],
    ],
  },
  {
    name: "hash_removed",
    message: "number sign removed",
    how: (text) =>
      text.replace(
        /^(?:(?:cert(?:ificate|ification)?|serial|slab)\b\.?\s*)?(?:#|\u2116|no\b\.?|number\b)?\s*:?\s*(?=[a-z]?\d)/i,
        "",
      ),
    examples: [
      ["PSA", "#98174651", "98174651"],
      ["PSA", "Cert #98174651", "98174651"],
      ["PSA", "PSA Cert # 98174651", "98174651"],
      ["CGC", "Certification No. 4135876101", "4135876101"],
      ["CGC", "cert: 4135876101", "4135876101"],
      ["TAG", "\u2116 C1240631", "C1240631"],
    ],
  },
  {
    name: "exponent_written_out",
    message: "all digits kept in E notation, written out",
    how: (text) => wholeDigits(text) ?? text,
    examples: [
      ["PSA", "1.58363091E+08", "158363091"],
      ["PSA", "9,8174651E+07", "98174651"],
      ["CGC", "1.401019289294E+12", "1401019289294"],
    ],
  },
  {
    name: "thousands_separator_removed",
    message: "thousands separators removed",
    how: (text) =>
      text.replace(/^(\d{1,3}([,.'\u2019\u00a0\u202f ])\d{3}(?:\2\d{3})+)(?:[.,]00?)?$/, (_, digits: string) =>
        digits.replaceAll(/\D/g, ""),
      ),
    examples: [
      ["PSA", "98,174,651", "98174651"],
      ["PSA", "98.174.651", "98174651"],
      ["PSA", "98.174.651,00", "98174651"],
      ["PSA", "98'174'651", "98174651"],
      ["PSA", "98 174 651", "98174651"],
      ["PSA", "1,020,688", "01020688"],
      ["CGC", "1,401,019,289,294", "1401019289294"],
    ],
  },
  {
    name: "decimal_zero_removed",
    message: "decimal zero removed",
    how: (text) => text.replace(/^(\d+)[.,]0{1,9}$/, "$1"),
    examples: [
      ["PSA", "98174651.0", "98174651"],
      ["PSA", "98174651,00", "98174651"],
      ["PSA", "1020688.0", "01020688"],
      ["CGC", "1401019289294.0", "1401019289294"],
    ],
  },
] as const satisfies readonly RepairCase[];

/** Damage within a number. Repaired if no refusal applies. */
export const REPAIRS_WITHIN = [
  {
    name: "space_removed",
    message: "spaces removed",
    how: (text) => text.replaceAll(/\s+/g, ""),
    examples: [
      ["PSA", "0102 0688", "01020688"],
      ["PSA", "0102\u00a00688", "01020688"],
      ["CGC", "4135876 101", "4135876101"],
      ["TAG", "C 1240631", "C1240631"],
    ],
  },
  {
    name: "dash_removed",
    message: "dash removed",
    how: (text) => text.replaceAll(DASHES, ""),
    examples: [
      ["CGC", "1401019289-294", "1401019289294"],
      ["CGC", "4135876-101", "4135876101"],
      ["CGC", "4135876\u2010101", "4135876101"],
      ["CGC", "4135876\u2011101", "4135876101"],
      ["CGC", "4135876\u2013101", "4135876101"],
      ["CGC", "4135876\u2014101", "4135876101"],
      ["CGC", "4135876\u2212101", "4135876101"],
      ["CGC", "4135876 - 101", "4135876101"],
      ["PSA", "9817-4651", "98174651"],
      ["TAG", "C-1240631", "C1240631"],
      ["CGC", "cgccards.com/certlookup/4135876-101/", "4135876101"],
    ],
  },
  {
    name: "letter_capitalized",
    message: "letter capitalized",
    how: (text, company) => (company === "TAG" ? text.toUpperCase() : text),
    examples: [
      ["TAG", "c1240631", "C1240631"],
      ["TAG", "https://my.taggrading.com/card/c1240631", "C1240631"],
    ],
  },
  {
    name: "leading_zero_restored",
    message: "leading zero restored",
    how: (text, company) => (company === "PSA" && /^\d{6,7}$/.test(text) ? text.padStart(8, "0") : text),
    isGuess: true,
    examples: [
      ["PSA", "1020688", "01020688"],
      ["PSA", "120688", "00120688"],
      ["PSA", "https://www.psacard.com/cert/1020688", "01020688"],
    ],
  },
] as const satisfies readonly RepairCase[];

/** A repair made before the look-up. It is always reported to staff. */
export type CertRepair = (typeof REPAIRS_AROUND)[number]["name"] | (typeof REPAIRS_WITHIN)[number]["name"];

/** All repairs, in the order in which they are tried. */
export const REPAIR_CASES: readonly (RepairCase & { name: CertRepair })[] = [...REPAIRS_AROUND, ...REPAIRS_WITHIN];

import { APOSTROPHES, DASHES, parseCertUrl, plainDigits, wholeDigits } from "./cert-text.ts";
import type { Company } from "./company.ts";

/**
 * Damage that can be repaired reliably; `refusals.ts` lists the damage that can't. `how` returns the text unchanged if
 * there is nothing to repair. In a pattern, something required separates two repeats of the same characters. Otherwise,
 * the time would grow with the square of the cell's length.
 */
type RepairCase = { name: string; message: string; how: (text: string, company: Company) => string };

/** A company name before its number: "PSA 98174651" and "psa-98174651". */
const COMPANY_BEFORE = /^(PSA(?:\/DNA)?|CGC|TAG)(?=[^A-Z])[\s:#_.-]*/i;
const COMPANY_BEHIND = /(?<=\d)\s?[-_(]?\s?(PSA|CGC|TAG)\)?$/i;

/** Damage around a number. Repaired first, in this order, so that the rest can be judged. */
export const REPAIRS_AROUND = [
  { name: "digits_normalized", message: "digits made plain", how: plainDigits },
  {
    name: "invisible_removed",
    message: "invisible characters removed",
    how: (text) => text.replaceAll(/\p{Cf}|(?!\s)\p{Cc}/gu, "").trim(),
  },
  {
    name: "formula_removed",
    message: "formula removed",
    how: (text) =>
      text
        .replace(/^'?=\s*HYPERLINK\(\s*"([^"]*)".*\)$/is, "$1")
        .replace(/^'?=\s*(?:T\s*)?(?:\(\s*)?"([^"]*)"\s*\)?$/i, "$1")
        .replace(/^'?=\s*(\d+)$/, "$1")
        .trim(),
  },
  { name: "apostrophe_removed", message: "apostrophe removed", how: (text) => text.replaceAll(APOSTROPHES, "").trim() },
  {
    name: "read_from_link",
    message: "read from a link",
    how: (text, company) => {
      const link = parseCertUrl(text);
      return link?.company === company ? link.number : text;
    },
  },
  {
    name: "punctuation_removed",
    message: "punctuation removed",
    how: (text) =>
      text
        .replace(/^(?:<(.*)>|\((.*)\)|\[(.*)\])$/s, "$1$2$3")
        .replace(/[.,;:]{1,9}$/, "")
        .trim(),
  },
  {
    name: "company_prefix_removed",
    message: "company name removed",
    how: (text, company) => {
      const unlessOther = (part: string, name: string): string => (name.toUpperCase().startsWith(company) ? "" : part);
      return text.replace(COMPANY_BEFORE, unlessOther).replace(COMPANY_BEHIND, unlessOther);
    },
  },
  {
    name: "hash_removed",
    message: "number sign removed",
    how: (text) =>
      text.replace(
        /^(?:(?:cert(?:ificate|ification)?|serial|slab)\b\.?\s*)?(?:(?:#|\u2116|no\b\.?|number\b)\s*)?(?::\s*)?(?=[a-z]?\d)/i,
        "",
      ),
  },
  {
    name: "exponent_written_out",
    message: "all digits kept in E notation, written out",
    how: (text) => wholeDigits(text) ?? text,
  },
  {
    name: "thousands_separator_removed",
    message: "thousands separators removed",
    how: (text) =>
      text.replace(/^(\d{1,3}([,.'\u2019\u00a0\u202f ])\d{3}(?:\2\d{3})+)(?:[.,]00?)?$/, (_, digits: string) =>
        digits.replaceAll(/\D/g, ""),
      ),
  },
  {
    name: "decimal_zero_removed",
    message: "decimal zero removed",
    how: (text) => text.replace(/^(\d+)[.,]0{1,9}$/, "$1"),
  },
] as const satisfies readonly RepairCase[];

/** Damage within a number. Repaired if no refusal applies. */
export const REPAIRS_WITHIN = [
  { name: "space_removed", message: "spaces removed", how: (text) => text.replaceAll(/\s+/g, "") },
  { name: "dash_removed", message: "dash removed", how: (text) => text.replaceAll(DASHES, "") },
  {
    name: "letter_capitalized",
    message: "letter capitalized",
    how: (text, company) => (company === "TAG" ? text.toUpperCase() : text),
  },
  {
    name: "leading_zero_restored",
    message: "leading zero restored",
    how: (text, company) => (company === "PSA" && /^\d{6,7}$/.test(text) ? text.padStart(8, "0") : text),
  },
] as const satisfies readonly RepairCase[];

/** A repair made before the lookup. It is always reported to staff. */
export type CertRepair = (typeof REPAIRS_AROUND)[number]["name"] | (typeof REPAIRS_WITHIN)[number]["name"];

export const REPAIR_CASES: readonly (RepairCase & { name: CertRepair })[] = [...REPAIRS_AROUND, ...REPAIRS_WITHIN];

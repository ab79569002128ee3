import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";

/** What a buyer reads of a card, for the shops' files. All of it is one line of text. */

/** A card's value as a shop takes it: one line, nothing where the register has nothing. */
export function valueOf(text: string | null): string {
  const line = (text ?? "").replace(/\s+/g, " ").trim();
  return line === NOT_AVAILABLE ? "" : line;
}

/** Cut after a whole word where there is one; never longer than `length`, never in the middle of an emoji. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(" ", length);
  const cut = text
    .slice(0, space > 0 ? space : length)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  return cut.replace(/[\s,;:/&(-]+$/, "");
}

/** What the three companies print beside a number that says no more than the number. */
const PLAIN_GRADE_WORDS = new Set([
  "",
  "GEM MT",
  "GEM MINT",
  "MINT",
  "NM-MT",
  "NM/MINT",
  "NEAR MINT/MINT",
  "NEAR MINT-MINT",
  "NM",
  "NEAR MINT",
  "EX-MT",
  "EX/NM",
  "EX-NM",
  "EX",
  "EXCELLENT",
  "VG-EX",
  "VG/EX",
  "VG",
  "VERY GOOD",
  "GOOD",
  "FAIR",
  "FR",
  "POOR",
  "PR",
]);

/**
 * A grade as titles give it: "NM-MT 8" is 8. Anything that says more than its number (Pristine, a qualifier, Authentic)
 * stays as the company prints it.
 */
export function gradeInTitle(grade: string | null): string {
  const printed = valueOf(grade);
  const number = parseNumericGrade(printed);
  if (number === null) return printed;
  const message = printed.toUpperCase().replace(String(number), "").replace("+", "").trim();
  return PLAIN_GRADE_WORDS.has(message) ? String(number) : printed;
}

/** "1960 TOPPS #72 TIGERS TEAM PSA 8": the name gives way, company and grade are cut when they alone are too long. */
export function titleOf(row: ResultRow, length: number): string {
  const graded = cutAtWord([row.gradingCompany, gradeInTitle(row.grade)].filter(Boolean).join(" "), length);
  // A title that starts with such a sign would get an apostrophe before it, as every cell does that could run.
  const name = valueOf(row.itemName).replace(/^['=+\-@\uff1d\uff0b\uff0d\uff20\s]+/, "");
  return [cutAtWord(name, Math.max(0, length - graded.length - 1)), graded].filter(Boolean).join(" ");
}

/** One sentence each of what it is, how it is graded and which certificate says so. */
export function descriptionOf(row: ResultRow): string {
  const graded = [row.gradingCompany, valueOf(row.grade)].filter(Boolean).join(" ");
  const sentences = [valueOf(row.itemName), `Graded ${graded}`, `Certificate ${row.certNumber}`];
  return sentences
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

/** For the fields that shops show as HTML. */
export function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The seller's own number of a card, the same in every shop: "PSA-01020688". */
export function skuOf(row: ResultRow): string {
  return `${row.gradingCompany}-${row.certNumber}`;
}

/** Front and back, as far as there are any, as addresses a shop can fetch. */
export function pictureUrls(row: ResultRow): string[] {
  return [row.imageUrl, row.imageUrlBack].flatMap((url) => webAddress(url) ?? []);
}

/** An address of the web in its written form; null for anything else. */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href.replaceAll("|", "%7C") : null;
}

/** What is asked of the buyer: the customer price; empty when the sheet had no price. */
export function askingPriceOf(row: ResultRow): string {
  return Number(row.customerPrice) > 0 ? row.customerPrice : "";
}

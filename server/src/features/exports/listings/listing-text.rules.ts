import { AUTOGRAPH_BRAND } from "@slabdesk/contract/certs/company.ts";
import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import { type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import { listingPriceOf } from "@slabdesk/contract/market/listing-price.ts";

/* Single-line texts about a card for the shops' files. */

/** Collapses whitespace to one line. Returns "" for "not available". */
export function valueOf(text: string | null): string {
  const line = (text ?? "").replace(/\s+/g, " ").trim();
  return line === NOT_AVAILABLE ? "" : line;
}

/** Cuts text to at most `length` UTF-16 units, after a whole word if possible, never inside an emoji. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(" ", length);
  const cut = text
    .slice(0, space > 0 ? space : length)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  return cut.replace(/[\s,;:/&(-]+$/, "");
}

/** Grade names that the three companies print next to a number and that add no information. */
const PLAIN_GRADE_WORDS = new Set(
  [
    ",GEM MT,GEM MINT,MINT,NM-MT,NM/MINT,NEAR MINT/MINT,NEAR MINT-MINT,NM,NEAR MINT,EX-MT,EX/NM,EX-NM,EX,EXCELLENT",
    "VG-EX,VG/EX,VG,VERY GOOD,GOOD,FAIR,FR,POOR,PR",
  ].flatMap((words) => words.split(",")),
);

/** Shortens a grade for titles: "NM-MT 8" becomes "8". A grade that says more than its number stays as printed. */
export function gradeInTitle(grade: string | null): string {
  const printed = valueOf(grade);
  const number = parseNumericGrade(printed);
  if (number === null) return printed;
  const message = printed.toUpperCase().replace(String(number), "").replace("+", "").trim();
  return PLAIN_GRADE_WORDS.has(message) ? String(number) : printed;
}

/** Names who graded what how, such as "PSA 8" or "PSA/DNA Autograph 10". */
export function gradedAs({ gradingCompany, brand }: ResultRow, grade: string): string {
  const grader = brand === AUTOGRAPH_BRAND ? `${AUTOGRAPH_BRAND} Autograph` : gradingCompany;
  return [grader, grade].filter(Boolean).join(" ");
}

/** Builds a title such as "1960 TOPPS #72 TIGERS TEAM PSA 8". If it is too long, cuts the name before the grade. */
export function titleOf(row: ResultRow, length: number): string {
  const graded = cutAtWord(gradedAs(row, gradeInTitle(row.grade)), length);
  // Remove leading characters that start a formula. Otherwise the CSV writer puts an apostrophe before the title.
  const name = valueOf(row.itemName).replace(/^['=+\-@\uff1d\uff0b\uff0d\uff20\s]+/, "");
  return [cutAtWord(name, Math.max(0, length - graded.length - 1)), graded].filter(Boolean).join(" ");
}

/** Builds a description of three sentences: the item, the grade and the cert. */
export function descriptionOf(row: ResultRow): string {
  const sentences = [
    valueOf(row.itemName),
    `Graded ${gradedAs(row, valueOf(row.grade))}`,
    `Certificate ${row.certNumber}`,
  ];
  return sentences
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(" ");
}

/** Escapes text for fields that shops render as HTML. */
export function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The seller's SKU of a card, the same in every shop: "PSA-01020688". */
export function skuOf(row: ResultRow): string {
  return `${row.gradingCompany}-${row.certNumber}`;
}

export function imageUrls(row: ResultRow): string[] {
  return [row.imageUrl, row.imageUrlBack].flatMap((url) => webAddress(url) ?? []);
}

/** Normalizes an http or https URL. Null for anything else. */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href.replaceAll("|", "%7C") : null;
}

/** The asking price as a cell. Empty if the row lacks the amount that it is based on. */
export function askingPriceOf(listing: ListingPrice, row: ResultRow): string {
  return listingPriceOf(listing, row)?.toFixed(2) ?? "";
}

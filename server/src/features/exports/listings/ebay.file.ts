import { AUTOGRAPH_BRAND, type Company, parseCompany } from "@slabdesk/contract/certs/company.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { shopTable, type Table } from "../table.file.ts";
import { cardKindOf, type CardKind } from "./card-kind.rules.ts";
import columns from "./ebay-columns.json" with { type: "json" };
import * as text from "./listing-text.rules.ts";

const LONGEST_TITLE = 80;
const LONGEST_CERT = 30;
/** eBay's maximum length of an item specific's value. */
const LONGEST_SPECIFIC = 65;

const CATEGORIES: Record<CardKind["kind"], string> = { sport: "261328", game: "183454", "non-sport": "183050" };

/** The first line of the file. The file must start with "Info", so it has no byte-order mark. */
const INFO = ["Info", "Version=1.0.0", "Template=fx_category_template_EBAY_US"];

/** eBay's "create new listings" file, with the combined template for sports (261328) and card games (183454). */
export const ebayTable = (listing: ListingPrice): Table =>
  shopTable(columns, ({ row }) => [listingOf(row, listing)], [INFO]);

/** Builds one listing. Leaves the seller's own fields (location, handling, returns, policies) empty. */
function listingOf(row: ResultRow, listing: ListingPrice): Record<string, string> {
  const kind = cardKindOf(row);
  return {
    "*Action(SiteID=US|Country=US|Currency=USD|Version=1193|CC=UTF-8)": "Add",
    CustomLabel: text.skuOf(row),
    "*Category": kind === null ? "" : CATEGORIES[kind.kind],
    "*Title": text.titleOf(row, LONGEST_TITLE),
    "*ConditionID": GRADED,
    "CD:Professional Grader - (ID: 27501)": graderCell(row.gradingCompany),
    "CD:Grade - (ID: 27502)": row.brand === AUTOGRAPH_BRAND ? "" : gradeCell(row.grade),
    "CDA:Certification Number - (ID: 27503)": row.certNumber.slice(0, LONGEST_CERT),
    ...specificsOf(row, kind),
    PicURL: text.imageUrls(row).join("|"),
    "*Description": text.asHtml(text.descriptionOf(row)),
    "*Format": "FixedPrice",
    "*Duration": "GTC",
    "*StartPrice": text.askingPriceOf(listing, row),
    "*Quantity": "1",
  };
}

function specificsOf(row: ResultRow, kind: CardKind | null): Record<string, string> {
  const specific = (value: string | null): string => text.cutAtWord(text.valueOf(value), LONGEST_SPECIFIC);
  const subject = kind?.kind === "sport" ? "C:Player/Athlete" : "C:Card Name";
  return {
    ...(kind?.kind === "sport" && { "*C:Sport": kind.name, "C:Season": specific(row.year) }),
    ...(kind?.kind === "game" && { "*C:Game": kind.name }),
    [subject]: specific(row.player),
    "C:Set": specific(row.brand),
    "C:Parallel/Variety": specific(row.variety),
    "C:Card Number": specific(row.cardNumber),
    "C:Year Manufactured": specific(row.year),
    "C:Language": specific(row.language),
  };
}

/* eBay's condition descriptors for trading cards, with the ids that three public clients use (docs/exports.md). */

/** Condition ID "Graded". */
const GRADED = "2750";

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

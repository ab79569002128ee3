import { AUTOGRAPH_BRAND } from "@slabdesk/contract/certs/company.ts";
import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { shopTable, type Table } from "../table.file.ts";
import { cardKindOf, type CardKind } from "./card-kind.rules.ts";
import columns from "./ebay-columns.json" with { type: "json" };
import { GRADED, graderCell, gradeCell } from "./ebay-condition.rules.ts";
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
    PicURL: text.pictureUrls(row).join("|"),
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

import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { shopTable, type Table } from "../table.file.ts";
import { cardKindOf, type CardKind } from "./card-kind.rules.ts";
import { askingPriceOf, descriptionOf, imageUrls, skuOf, titleOf } from "./listing-text.rules.ts";
import columns from "./whatnot-columns.json" with { type: "json" };

const LONGEST_TITLE = 80;

/** Whatnot's bulk listing file. It has no columns for grader and cert; they are in the title, description and SKU. */
export const whatnotTable = (listing: ListingPrice): Table =>
  shopTable(columns, ({ row }) => [listingOf(row, listing)]);

/** Leaves the seller's own fields (shipping profile, cost) empty. */
function listingOf(row: ResultRow, listing: ListingPrice): Record<string, string> {
  const price = askingPriceOf(listing, row);
  const images = imageUrls(row).map((url, index): [string, string] => [`Image URL ${index + 1}`, url]);
  return {
    ...categoryOf(cardKindOf(row)),
    Title: titleOf(row, LONGEST_TITLE),
    Description: descriptionOf(row),
    Quantity: "1",
    Type: "Buy it Now",
    // Whatnot requires whole dollars. Rounded up, so that nothing sells below its price.
    Price: price === "" ? "" : String(Math.ceil(Number(price))),
    Offerable: "TRUE",
    Hazmat: "Not Hazmat",
    Condition: "Graded",
    SKU: skuOf(row),
    ...Object.fromEntries(images),
  };
}

/** Both names must match Whatnot's list. For games other than Pokémon, the seller chooses the subcategory. */
function categoryOf(kind: CardKind | null): Record<string, string> {
  switch (kind?.kind) {
    case "sport":
      return { Category: "Sports Cards", "Sub Category": `${kind.name} Singles` };
    case "game":
      return { Category: "Trading Card Games", "Sub Category": kind.name === "Pokémon" ? "Pokémon Cards" : "" };
    case "non-sport":
    case undefined:
      return {};
  }
}

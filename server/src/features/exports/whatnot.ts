import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { cardKindOf, type CardKind } from "./card-kind.ts";
import { askingPriceOf, descriptionOf, pictureUrls, skuOf, titleOf } from "./listing-text.ts";
import { shopTable, type Table } from "./table.ts";

const PICTURES = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `Image URL ${number}`);
const WHATNOT_HEADER = [
  "Category",
  "Sub Category",
  "Title",
  "Description",
  "Quantity",
  "Type",
  "Price",
  "Shipping Profile",
  "Offerable",
  "Hazmat",
  "Condition",
  "Cost Per Item",
  "SKU",
  ...PICTURES,
];
const LONGEST_TITLE = 80;

/** Whatnot's bulk listing file. It has no columns for grader and cert; they are in the title, description and SKU. */
export function whatnotTable(): Table {
  return shopTable(WHATNOT_HEADER, ({ row }) => [listingOf(row)]);
}

/** Leaves the seller's own fields (shipping profile, cost) empty. */
function listingOf(row: ResultRow): Record<string, string> {
  const pictures = pictureUrls(row).map((url, index): [string, string] => [PICTURES[index] ?? "", url]);
  return {
    ...categoryOf(cardKindOf(row)),
    Title: titleOf(row, LONGEST_TITLE),
    Description: descriptionOf(row),
    Quantity: "1",
    Type: "Buy it Now",
    Price: wholePrice(askingPriceOf(row)),
    Offerable: "TRUE",
    Hazmat: "Not Hazmat",
    Condition: "Graded",
    SKU: skuOf(row),
    ...Object.fromEntries(pictures),
  };
}

/** Rounds up to whole dollars, which Whatnot requires (minimum 1), so that nothing sells below its price. */
function wholePrice(price: string): string {
  return price === "" ? "" : String(Math.ceil(Number(price)));
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

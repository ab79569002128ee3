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

/** Whatnot's bulk listing file. It has no column for grader and certificate: title, description and SKU say them. */
export function whatnotTable(): Table {
  return shopTable(WHATNOT_HEADER, ({ row }) => [listingOf(row)]);
}

/** What only the seller knows (shipping profile, cost) stays empty. */
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

/** Whatnot takes whole dollars from 1; rounded up, so that nothing is sold below its price. */
function wholePrice(price: string): string {
  return price === "" ? "" : String(Math.ceil(Number(price)));
}

/** Both must be named as in Whatnot's own list; a game other than Pokémon is left for the seller to choose. */
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

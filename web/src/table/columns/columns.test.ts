import { expect, test } from "vitest";
import {
  COLUMN_IDS,
  HIDEABLE_COLUMN_IDS,
  ON_DEMAND_COLUMN_IDS,
  PINNED_COLUMN_IDS,
  RESULT_COLUMNS,
} from "./columns.tsx";

test("the table has the specified columns, by their exact names, each once, and our own", () => {
  const ours = [...ON_DEMAND_COLUMN_IDS, "population", "notes"];
  const headers = RESULT_COLUMNS.filter(({ id }) => !ours.includes(id)).map((column) => column.header);
  expect(RESULT_COLUMNS.length - headers.length).toBe(4);
  expect(headers.toSorted((a, b) => a.localeCompare(b))).toEqual(
    [
      "Item Name",
      "Player/Character",
      "Year",
      "Language",
      "Brand/Set",
      "Card Number",
      "Grade",
      "Sport/Game",
      "Images",
      "Certification",
      "Price",
      "Customer Price",
      "Inventory Name",
      "CardLadder Estimate",
      "Market Data",
      "CardsIQ Estimate",
      "CardsIQ Last Sale",
    ].toSorted((a, b) => a.localeCompare(b)),
  );
});

test("images and item name are pinned and cannot be hidden", () => {
  expect(PINNED_COLUMN_IDS).toEqual(["images", "itemName"]);
  expect(COLUMN_IDS.filter((id) => !HIDEABLE_COLUMN_IDS.includes(id))).toEqual(PINNED_COLUMN_IDS);
});

import { expect, test } from "vitest";
import { type ColumnArrangement, drawnOrder, moveColumn } from "./column-arrangement.ts";
import { COLUMN_IDS } from "./columns.tsx";
import { countByFilter } from "../filter/row-filter.ts";
import {
  arrangedFor,
  DEFAULT_ARRANGEMENT,
  filterToBeginWith,
  isDefaultArrangement,
  parsePreferences,
  type TablePreferences,
} from "./table-preferences.ts";

const DEFAULTS = {
  density: "comfortable",
  sort: null,
  filter: null,
  highValue: 500,
  hasSingleKeys: true,
  doubtsFrom: 50,
  listing: { listAt: "customerPrice", listPercent: 100 },
  hiddenColumns: [],
  shownColumns: [],
  columnOrder: COLUMN_IDS,
  pinnedColumns: ["images", "itemName"],
  columnWidths: {},
};

test.each<[string, unknown]>([
  ["nothing", null],
  ["a text", "compact"],
  ["a list", []],
  [
    "fields of other kinds",
    {
      density: "huge",
      sort: "grade",
      filter: "no_image",
      highValue: "500",
      doubtsFrom: -1,
      listing: { listAt: "median", listPercent: 0 },
      hiddenColumns: "year",
      shownColumns: true,
      columnOrder: 7,
      pinnedColumns: {},
      columnWidths: [],
    },
  ],
  ["a column that is gone", { sort: { columnId: "gone", direction: "ascending" } }],
  ["a filter that is gone", { filter: { name: "gone", sessionId: "s" } }],
  ["a value below nothing", { highValue: -1 }],
])("%s gives the defaults", (_name, stored) => {
  expect(parsePreferences(JSON.stringify(stored))).toEqual(DEFAULTS);
});

test.each<[string, object, object]>([
  ["density", { density: "compact" }, { density: "compact" }],
  ["hidden columns, unknown ones left out", { hiddenColumns: ["year", 3, null, "gone"] }, { hiddenColumns: ["year"] }],
  ["columns that cannot be hidden stay", { hiddenColumns: ["images", "grade"] }, { hiddenColumns: ["grade"] }],
  ["columns on demand, others left out", { shownColumns: ["buyOffer", "year", 2] }, { shownColumns: ["buyOffer"] }],
  ["pinned columns", { pinnedColumns: ["grade", "gone", 5, "images"] }, { pinnedColumns: ["images", "grade"] }],
  ["no pinned column at all", { pinnedColumns: [] }, { pinnedColumns: [] }],
  [
    "no card of high value, and no doubtful price",
    { highValue: null, doubtsFrom: null },
    { highValue: null, doubtsFrom: null },
  ],
  [
    "widths, impossible ones left out",
    { columnWidths: { year: 120, grade: "90", brand: -4, player: 99999, gone: 100, sport: null, language: 47 } },
    { columnWidths: { year: 120 } },
  ],
])("stored: %s", (_name, stored, expected) => {
  expect(parsePreferences(JSON.stringify(stored))).toEqual({ ...DEFAULTS, ...expected });
});

test.each<[string, TablePreferences["filter"], boolean, number, string]>([
  ["nothing remembered", null, false, 3, "all"],
  ["the session it was chosen in", { name: "no_image", sessionId: "this" }, false, 3, "no_image"],
  ["that session, reloaded while it runs", { name: "no_image", sessionId: "this" }, true, 3, "no_image"],
  ["another session that is over", { name: "no_image", sessionId: "other" }, false, 3, "no_image"],
  ["a new run", { name: "no_image", sessionId: "other" }, true, 3, "all"],
  ["a filter that would show nothing", { name: "no_image", sessionId: "other" }, false, 0, "all"],
  ["even of the same session", { name: "no_image", sessionId: "this" }, false, 0, "all"],
])("a session starts with a filter: %s", (_name, remembered, isRunning, count, expected) => {
  const counts = { ...countByFilter([], () => []), no_image: count };
  expect(filterToBeginWith(remembered, { sessionId: "this", isRunning, counts })).toBe(expected);
});

const drawn = (arrangement: ColumnArrangement, isPriced: boolean): string[] =>
  drawnOrder(arrangedFor(arrangement, isPriced));

test("price columns move to the front if there are prices; without prices the order is unchanged", () => {
  expect(drawn(DEFAULT_ARRANGEMENT, true).slice(0, 9)).toEqual([
    "images",
    "itemName",
    "certification",
    "grade",
    "price",
    "cardladderEstimate",
    "marketData",
    "cardsiqEstimate",
    "buyOffer",
  ]);
  expect(drawn(DEFAULT_ARRANGEMENT, true).toSorted()).toEqual([...COLUMN_IDS].toSorted());
  expect(drawn(DEFAULT_ARRANGEMENT, false)).toEqual(COLUMN_IDS);
  expect(isDefaultArrangement(arrangedFor(DEFAULT_ARRANGEMENT, false))).toBe(true);
});

test("after a column is moved, the visible order is the user's, with or without prices", () => {
  const moved = moveColumn(arrangedFor(DEFAULT_ARRANGEMENT, true), "marketData", -1);
  expect(drawn(moved, false)).toEqual(drawn(moved, true));
  expect(drawn(moved, false).slice(4, 7)).toEqual(["price", "marketData", "cardladderEstimate"]);
  expect(isDefaultArrangement(moved)).toBe(false);
  expect(drawn(moveColumn(moved, "marketData", 1), false)).toEqual(COLUMN_IDS);
});

test("a stored order contains every column once", () => {
  const { columnOrder } = parsePreferences(
    JSON.stringify({ columnOrder: ["price", "images", "price", "gone", 1, "itemName"] }),
  );
  expect(columnOrder.slice(0, 2)).toEqual(["price", "customerPrice"]);
  expect(columnOrder.indexOf("itemName")).toBe(columnOrder.indexOf("images") + 1);
  expect(columnOrder.toSorted()).toEqual([...COLUMN_IDS].toSorted());
});

test("stored preferences are read back unchanged", () => {
  const arranged = {
    density: "compact",
    sort: { columnId: "grade", direction: "descending" },
    filter: { name: "needs_review", sessionId: "s" },
    highValue: 250,
    hasSingleKeys: false,
    doubtsFrom: 0,
    listing: { listAt: "estimate", listPercent: 95 },
    hiddenColumns: ["year", "price"],
    shownColumns: ["buyOffer"],
    columnOrder: [...COLUMN_IDS].reverse(),
    pinnedColumns: ["itemName", "grade"],
    columnWidths: { itemName: 400, grade: 90 },
  };
  expect(parsePreferences(JSON.stringify(arranged))).toEqual(arranged);
});

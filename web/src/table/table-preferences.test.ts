import { expect, test } from "vitest";
import { type ColumnArrangement, drawnOrder, moveColumn } from "./column-arrangement.ts";
import { COLUMN_IDS } from "./columns.tsx";
import { arrangedFor, DEFAULT_ARRANGEMENT, isDefaultArrangement, parsePreferences } from "./table-preferences.ts";

const DEFAULTS = {
  density: "comfortable",
  hiddenColumns: [],
  shownColumns: [],
  columnOrder: COLUMN_IDS,
  pinnedColumns: ["images", "itemName"],
  columnWidths: {},
};

test.each([
  ["nothing", null],
  ["no text", ""],
  ["no JSON", "not json"],
  ["null", "null"],
  ["a word", '"compact"'],
  ["a list", "[]"],
  [
    "fields of other kinds",
    '{"density":"huge","hiddenColumns":"year","shownColumns":true,"columnOrder":7,"pinnedColumns":{},"columnWidths":[]}',
  ],
])("%s reads as the defaults", (_name, text) => {
  expect(parsePreferences(text)).toEqual(DEFAULTS);
});

test.each([
  ["density", '{"density":"compact"}', { density: "compact" }],
  ["hidden columns, unknown ones left out", '{"hiddenColumns":["year",3,null,"gone"]}', { hiddenColumns: ["year"] }],
  [
    "columns that cannot be hidden stay",
    '{"hiddenColumns":["images","itemName","grade"]}',
    { hiddenColumns: ["grade"] },
  ],
  ["columns on demand, others left out", '{"shownColumns":["buyOffer","year",2]}', { shownColumns: ["buyOffer"] }],
  ["pinned columns", '{"pinnedColumns":["grade","gone",5,"images"]}', { pinnedColumns: ["images", "grade"] }],
  ["no pinned column at all", '{"pinnedColumns":[]}', { pinnedColumns: [] }],
  [
    "widths, impossible ones left out",
    '{"columnWidths":{"year":120,"grade":"90","brand":-4,"player":99999,"gone":100,"sport":null,"language":47}}',
    { columnWidths: { year: 120 } },
  ],
])("remembered: %s", (_name, text, expected) => {
  expect(parsePreferences(text)).toEqual({ ...DEFAULTS, ...expected });
});

const drawn = (arrangement: ColumnArrangement, isPriced: boolean): string[] =>
  drawnOrder(arrangedFor(arrangement, isPriced));

test("prices stand in front where there are any, and the order without them is as it was", () => {
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

test("once a column was moved, what was drawn is the user's order, with prices or without", () => {
  const moved = moveColumn(arrangedFor(DEFAULT_ARRANGEMENT, true), "marketData", -1);
  expect(drawn(moved, false)).toEqual(drawn(moved, true));
  expect(drawn(moved, false).slice(4, 7)).toEqual(["price", "marketData", "cardladderEstimate"]);
  expect(isDefaultArrangement(moved)).toBe(false);
  expect(drawn(moveColumn(moved, "marketData", 1), false)).toEqual(COLUMN_IDS);
});

test("a width that was set counts more than the one that prices leave", () => {
  const widthOf = (columnWidths: Record<string, number>, isPriced: boolean): number | undefined =>
    arrangedFor({ ...DEFAULT_ARRANGEMENT, columnWidths }, isPriced).columnWidths["itemName"];
  expect([widthOf({}, false), widthOf({}, true), widthOf({ itemName: 400 }, true)]).toEqual([undefined, 208, 400]);
});

test("a remembered order keeps every column once", () => {
  const { columnOrder } = parsePreferences('{"columnOrder":["price","images","price","gone",1,"itemName"]}');
  expect(columnOrder.slice(0, 2)).toEqual(["price", "customerPrice"]);
  expect(columnOrder.indexOf("itemName")).toBe(columnOrder.indexOf("images") + 1);
  expect(columnOrder.toSorted()).toEqual([...COLUMN_IDS].toSorted());
});

test("what is written is read back as it was", () => {
  const arranged = {
    density: "compact",
    hiddenColumns: ["year", "price"],
    shownColumns: ["buyOffer"],
    columnOrder: [...COLUMN_IDS].reverse(),
    pinnedColumns: ["itemName", "grade"],
    columnWidths: { itemName: 400, grade: 90 },
  };
  expect(parsePreferences(JSON.stringify(arranged))).toEqual(arranged);
});

import { expect, test } from "vitest";
import { COLUMN_IDS } from "./columns.tsx";
import { parsePreferences } from "./table-preferences.ts";

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

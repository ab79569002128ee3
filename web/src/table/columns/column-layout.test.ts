import { expect, test } from "vitest";
import { layoutOf, totalWidthOf } from "./column-layout.ts";
import { LEADING_COLUMNS, LEADING_REVIEW_COLUMNS } from "./columns.tsx";
import { DEFAULT_ARRANGEMENT } from "./table-preferences.ts";

const ARRANGEMENT = {
  ...DEFAULT_ARRANGEMENT,
  hiddenColumns: DEFAULT_ARRANGEMENT.columnOrder.filter((id) => !["images", "itemName", "grade", "year"].includes(id)),
};
const placesOf = (...args: Parameters<typeof layoutOf>) =>
  layoutOf(...args).map(({ id, isPinned, cellProps }) => [
    id,
    cellProps["aria-colindex"],
    isPinned,
    cellProps["data-edge"] === true,
    cellProps.style.insetInlineStart,
  ]);

test("the fixed columns stand first and pinned, then the pinned ones, then the others", () => {
  expect(placesOf(ARRANGEMENT, LEADING_REVIEW_COLUMNS, 0)).toEqual([
    ["select", 1, true, false, 0],
    ["review", 2, true, false, 34],
    ["images", 3, true, false, 338],
    ["itemName", 4, true, true, 426],
    ["grade", 5, false, false, undefined],
    ["year", 6, false, false, undefined],
  ]);
  expect(totalWidthOf(layoutOf(ARRANGEMENT, LEADING_REVIEW_COLUMNS, 0))).toBe(796);
});

test("where nothing else is pinned the last of the fixed ones casts the shadow", () => {
  const layout = layoutOf({ ...ARRANGEMENT, pinnedColumns: [] }, LEADING_REVIEW_COLUMNS, 0);
  expect(layout.filter(({ cellProps }) => cellProps["data-edge"]).map(({ id }) => id)).toEqual(["review"]);
});

test("a width that was set moves what follows", () => {
  const layout = layoutOf({ ...ARRANGEMENT, columnWidths: { images: 100 } }, LEADING_COLUMNS, 0);
  expect(layout.map(({ width, cellProps: { style } }) => [width, style.width, style.insetInlineStart])).toEqual([
    [34, 34, 0],
    [100, 100, 34],
    [180, 180, 134],
    [118, 118, undefined],
    [72, 72, undefined],
  ]);
});

test.each([
  ["not measured yet", 0, ["select", "images", "itemName"]],
  ["wide", 1000, ["select", "images", "itemName"]],
  ["just enough", 542, ["select", "images", "itemName"]],
  ["for two of them", 541, ["select", "images"]],
  ["for none", 273, []],
])("pinned columns leave room for the others: %s", (_name, room, expected) => {
  const layout = layoutOf({ ...ARRANGEMENT, columnWidths: { year: 800 } }, LEADING_COLUMNS, room);
  expect(layout.map(({ id }) => id)).toEqual(["select", "images", "itemName", "grade", "year"]);
  expect(layout.filter(({ isPinned }) => isPinned).map(({ id }) => id)).toEqual(expected);
  expect(layout.filter(({ cellProps }) => cellProps["data-edge"]).map(({ id }) => id)).toEqual(expected.slice(-1));
  expect(layout.filter(({ cellProps }) => "insetInlineStart" in cellProps.style).map(({ id }) => id)).toEqual(expected);
});

test.each([
  ["not measured yet", {}, 0, 180],
  ["all other columns fit: the rest of the width", {}, 1500, 1188],
  ["a width that was set counts", { itemName: 250 }, 1500, 250],
  ["the others keep some room to scroll", {}, 480, 180],
  ["not even its least width is left", {}, 273, 180],
])("item name takes the free width: %s", (_name, columnWidths, room, expected) => {
  const layout = layoutOf({ ...ARRANGEMENT, columnWidths }, LEADING_COLUMNS, room);
  expect(layout.find(({ id }) => id === "itemName")?.width).toBe(expected);
});

test.each([
  [960, 240],
  [1040, 236],
  [1540, 420],
])(
  "with more columns than fit into %i pixels, item name ends the last of the first that fit at the edge and is %i wide",
  (room, expected) => {
    const layout = layoutOf({ ...DEFAULT_ARRANGEMENT, hiddenColumns: ["processedAt"] }, LEADING_COLUMNS, room);
    expect(layout.find(({ id }) => id === "itemName")?.width).toBe(expected);
    const ends = layout.map((_, index) => totalWidthOf(layout.slice(0, index)));
    expect(ends.includes(room) || expected === 420).toBe(true);
  },
);

import { expect, test } from "vitest";
import { layoutOf, totalWidthOf } from "./column-layout.ts";
import { LEADING_COLUMNS, LEADING_REVIEW_COLUMNS } from "./columns.tsx";
import { DEFAULT_ARRANGEMENT } from "./table-preferences.ts";

const ARRANGEMENT = {
  ...DEFAULT_ARRANGEMENT,
  hiddenColumns: DEFAULT_ARRANGEMENT.columnOrder.filter((id) => !["images", "itemName", "grade", "year"].includes(id)),
};
const placesOf = (...args: Parameters<typeof layoutOf>) =>
  layoutOf(...args).map(({ id, position, isPinned, isLastPinned, style }) => [
    id,
    position,
    isPinned,
    isLastPinned,
    style.insetInlineStart,
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
  expect(totalWidthOf(layoutOf(ARRANGEMENT, LEADING_REVIEW_COLUMNS, 0))).toBe(836);
});

test("where nothing else is pinned the last of the fixed ones casts the shadow", () => {
  const layout = layoutOf({ ...ARRANGEMENT, pinnedColumns: [] }, LEADING_REVIEW_COLUMNS, 0);
  expect(layout.filter(({ isLastPinned }) => isLastPinned).map(({ id }) => id)).toEqual(["review"]);
});

test("a width that was set moves what follows", () => {
  const layout = layoutOf({ ...ARRANGEMENT, columnWidths: { images: 100 } }, LEADING_COLUMNS, 0);
  expect(layout.map(({ width, style }) => [width, style.width, style.insetInlineStart])).toEqual([
    [34, 34, 0],
    [100, 100, 34],
    [220, 220, 134],
    [118, 118, undefined],
    [72, 72, undefined],
  ]);
});

test.each([
  ["not measured yet", 0, ["select", "images", "itemName"]],
  ["wide", 1000, ["select", "images", "itemName"]],
  ["just enough", 582, ["select", "images", "itemName"]],
  ["for two of them", 581, ["select", "images"]],
  ["for none", 273, []],
])("pinned columns leave room for the others: %s", (_name, room, expected) => {
  const layout = layoutOf(ARRANGEMENT, LEADING_COLUMNS, room);
  expect(layout.map(({ id }) => id)).toEqual(["select", "images", "itemName", "grade", "year"]);
  expect(layout.filter(({ isPinned }) => isPinned).map(({ id }) => id)).toEqual(expected);
  expect(layout.filter(({ isLastPinned }) => isLastPinned).map(({ id }) => id)).toEqual(expected.slice(-1));
  expect(layout.filter(({ style }) => "insetInlineStart" in style).map(({ id }) => id)).toEqual(expected);
});

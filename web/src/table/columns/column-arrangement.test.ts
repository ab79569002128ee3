import { expect, test } from "vitest";
import {
  canMove,
  type ColumnArrangement,
  drawnOrder,
  dropColumn,
  mergeOrder,
  moveColumn,
  normalizeWidth,
  setShown,
  togglePinned,
  withoutIdle,
} from "./column-arrangement.ts";

const arranged = (change: Partial<ColumnArrangement> = {}): ColumnArrangement => ({
  hiddenColumns: [],
  shownColumns: [],
  columnOrder: ["a", "b", "c", "d", "e"],
  pinnedColumns: ["a", "b"],
  columnWidths: {},
  ...change,
});

test("pinned columns come first, each group in the user's order", () => {
  expect(drawnOrder(arranged({ pinnedColumns: ["d", "b"] }))).toEqual(["b", "d", "a", "c", "e"]);
});

test.each([
  ["to the right", "c", 1, ["a", "b", "d", "c", "e"]],
  ["to the left", "e", -1, ["a", "b", "c", "e", "d"]],
  ["among the pinned", "b", -1, ["b", "a", "c", "d", "e"]],
  ["not out of the pinned", "b", 1, ["a", "b", "c", "d", "e"]],
  ["not into the pinned", "c", -1, ["a", "b", "c", "d", "e"]],
  ["not beyond the first", "a", -1, ["a", "b", "c", "d", "e"]],
  ["not beyond the last", "e", 1, ["a", "b", "c", "d", "e"]],
  ["not what is no column", "x", 1, ["a", "b", "c", "d", "e"]],
] as const)("a column moves %s", (_name, id, step, expected) => {
  const before = arranged();
  const after = moveColumn(before, id, step);
  expect(drawnOrder(after)).toEqual(expected);
  expect(canMove(before, id, step)).toBe(after !== before);
});

test("a move skips columns of the other group: the neighbor is the visible one", () => {
  const scattered = arranged({ pinnedColumns: ["b", "d"] });
  expect(drawnOrder(moveColumn(scattered, "a", 1))).toEqual(["b", "d", "c", "a", "e"]);
  expect(drawnOrder(moveColumn(scattered, "d", -1))).toEqual(["d", "b", "a", "c", "e"]);
});

test.each([
  ["to the right", "c", "e", 1, ["a", "b", "d", "e", "c"]],
  ["to the left", "e", "c", -1, ["a", "b", "e", "c", "d"]],
  ["into the pinned", "e", "a", 1, ["a", "e", "b", "c", "d"]],
  ["out of the pinned", "a", "c", 1, ["b", "c", "a", "d", "e"]],
  ["onto itself", "c", "c", 1, ["a", "b", "c", "d", "e"]],
] as const)("a column is dropped %s", (_name, id, at, side, expected) => {
  expect(drawnOrder(dropColumn(arranged(), id, at, side))).toEqual(expected);
});

test("unpinning returns a column to its place", () => {
  const pinned = togglePinned(arranged(), "d");
  expect(drawnOrder(pinned)).toEqual(["a", "b", "d", "c", "e"]);
  expect(drawnOrder(togglePinned(pinned, "d"))).toEqual(["a", "b", "c", "d", "e"]);
});

test("hiding and showing a column changes nothing else", () => {
  const hidden = setShown(arranged(), "c", false, false);
  expect(hidden.hiddenColumns).toEqual(["c"]);
  expect(setShown(hidden, "c", true, false)).toEqual(arranged());
});

test.each([
  ["untouched", arranged(), { whenIdle: true, whenNot: false }],
  ["asked for", setShown(arranged(), "c", true, true), { whenIdle: false, whenNot: false }],
  ["hidden", setShown(arranged(), "c", false, true), { whenIdle: true, whenNot: true }],
  [
    "asked for, then hidden",
    setShown(setShown(arranged(), "c", true, true), "c", false, true),
    { whenIdle: true, whenNot: true },
  ],
])("an optional column that is %s", (_name, arrangement, expected) => {
  const isHidden = (idle: string[]): boolean => withoutIdle(arrangement, idle).hiddenColumns.includes("c");
  expect({ whenIdle: isHidden(["c"]), whenNot: isHidden([]) }).toEqual(expected);
});

test.each([
  ["nothing remembered", [], ["a", "b", "c", "d"]],
  ["as remembered", ["d", "c", "b", "a"], ["d", "c", "b", "a"]],
  ["twice counts once", ["b", "b", "a", "c", "d"], ["b", "a", "c", "d"]],
  ["a column that is gone", ["d", "gone", "a", "b", "c"], ["d", "a", "b", "c"]],
  ["a new column follows its default predecessor", ["c", "a", "d"], ["c", "a", "b", "d"]],
  ["a new first column comes first", ["d", "c", "b"], ["a", "d", "c", "b"]],
])("the order of the existing columns: %s", (_name, remembered, expected) => {
  expect(mergeOrder(remembered, ["a", "b", "c", "d"])).toEqual(expected);
});

test("widths are whole pixels within limits", () => {
  expect([-5, 20, 120.6, 4000].map(normalizeWidth)).toEqual([48, 48, 121, 800]);
});

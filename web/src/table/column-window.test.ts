import { expect, test } from "vitest";
import { columnWindow, keepRoom } from "./column-window.ts";
import type { ColumnLayout } from "./column-layout.ts";

/** Two pinned columns of 100, then ten of 200: 0–200, 200–400, … 1800–2000. */
const columns = Array.from({ length: 12 }, (_, index): ColumnLayout => {
  const isPinned = index < 2;
  return {
    id: `c${index}`,
    head: "sorts",
    header: `C${index}`,
    position: index + 1,
    isPinned,
    isLastPinned: index === 1,
    align: "start",
    width: isPinned ? 100 : 200,
    style: isPinned ? { width: 100, insetInlineStart: index * 100 } : { width: 200 },
    cell: () => null,
    resizing: null,
  };
});
const shown = (scrollLeft: number, width: number): { ids: string[]; skipped: number } => {
  const { inView, skipped } = columnWindow(columns, { scrollLeft, width });
  return { ids: inView.map(({ id }) => id), skipped };
};

test("pinned columns are always rendered", () => {
  expect(columnWindow(columns, { scrollLeft: 1500, width: 600 }).pinned.map(({ id }) => id)).toEqual(["c0", "c1"]);
});

test("at the left edge nothing is skipped, and one step more than the viewport is rendered", () => {
  expect(shown(0, 600)).toEqual({ ids: ["c2", "c3", "c4"], skipped: 0 });
});

test("in the middle both sides are skipped, and the gap has the width of the skipped columns", () => {
  expect(shown(1000, 600)).toEqual({ ids: ["c6", "c7", "c8", "c9"], skipped: 800 });
});

test("a wide window renders everything", () => {
  expect(shown(0, 5000).ids).toHaveLength(10);
});

const pinnedWithin = (room: number): string[] =>
  keepRoom(columns, room)
    .filter((column) => column.isPinned)
    .map(({ id }) => id);

test.each([
  ["not measured yet", 0, ["c0", "c1"]],
  ["wide", 1000, ["c0", "c1"]],
  ["just enough", 440, ["c0", "c1"]],
  ["for one of them", 439, ["c0"]],
  ["for none", 300, []],
])("pinned columns leave room for the others: %s", (_name, room, expected) => {
  expect(pinnedWithin(room)).toEqual(expected);
});

test("a pinned column without room keeps its place and scrolls; the last remaining one has the edge", () => {
  const narrow = keepRoom(columns, 400);
  expect(narrow.map(({ id }) => id)).toEqual(columns.map(({ id }) => id));
  expect(narrow.slice(0, 2)).toMatchObject([
    { isPinned: true, isLastPinned: true },
    { isPinned: false, isLastPinned: false, style: { width: 100 } },
  ]);
  expect(narrow[1]?.style).not.toHaveProperty("insetInlineStart");
});

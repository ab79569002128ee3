import { expect, test } from "vitest";
import { LEADING_LOOK_COLUMNS, withLeading } from "./leading-columns.tsx";
import type { ColumnLayout } from "./column-layout.ts";

const aColumn = (id: string, position: number, insetInlineStart: number | null): ColumnLayout => ({
  id,
  head: "sorts",
  header: id,
  position,
  isPinned: insetInlineStart !== null,
  isLastPinned: insetInlineStart !== null,
  align: "start",
  width: 100,
  style: insetInlineStart === null ? { width: 100 } : { width: 100, insetInlineStart },
  cell: () => null,
  resizing: null,
});

test("the fixed columns come first and are pinned; the others move by their width", () => {
  const { columns, totalWidth } = withLeading(LEADING_LOOK_COLUMNS, {
    columns: [aColumn("images", 1, 0), aColumn("grade", 2, null)],
    totalWidth: 200,
  });
  expect(
    columns.map(({ id, position, isPinned, isLastPinned, style }) => [
      id,
      position,
      isPinned,
      isLastPinned,
      style.insetInlineStart,
    ]),
  ).toEqual([
    ["select", 1, true, false, 0],
    ["look", 2, true, false, 34],
    ["images", 3, true, true, 338],
    ["grade", 4, false, false, undefined],
  ]);
  expect(totalWidth).toBe(538);
});

test("if no other column is pinned, the last of them has the shadow", () => {
  const { columns } = withLeading(LEADING_LOOK_COLUMNS, { columns: [aColumn("grade", 1, null)], totalWidth: 100 });
  expect(columns.filter(({ isLastPinned }) => isLastPinned).map(({ id }) => id)).toEqual(["look"]);
});

import { expect, test } from "vitest";
import { sheetOf } from "../plan/plan-factory.test-data.ts";
import { summarizeSheet } from "./sheet-summary.ts";
import { countLines, linesIn, type LineFilter, shownLines, verdictOf } from "./line-filter.ts";

const { lines } = summarizeSheet(
  sheetOf("98174651,PSA", "98174651,PSA", "1020688,PSA", "12,PSA", "C1240631,TAG,30,vault", "C1240632,TAG"),
);
const cached = linesIn([
  [2, 3],
  [6, 6],
]);

test("each line has one verdict, and the filters count them", () => {
  expect(lines.map((line) => verdictOf(line, cached)[0])).toEqual([
    "From cache",
    "Duplicate",
    "Repaired",
    "To fix",
    "From cache",
    "Ready",
  ]);
  expect(countLines(lines, cached)).toEqual({ all: 6, fix: 1, guessed: 0, repaired: 1, cached: 3, duplicate: 1 });
});

test.each<[LineFilter, string, number[], number[]]>([
  ["all", "", [], [2, 3, 4, 5, 6, 7]],
  ["fix", "", [], [5]],
  ["fix", "", [4], [4, 5]],
  ["cached", "vault", [], [6]],
  ["all", "c124 tag", [], [6, 7]],
])("filter %s with %j, after edits in %j, shows lines %j", (filter, find, kept, expected) => {
  const shown = shownLines(lines, { filter, find, cached, kept: new Set(kept) });
  expect(shown.map(({ line }) => line)).toEqual(expected);
});

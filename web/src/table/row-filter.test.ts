import { expect, test } from "vitest";
import { aFoundRow, aRow } from "./row-factory.test-data.ts";
import { countByFilter, filterRows } from "./row-filter.ts";

const rows = [
  aFoundRow({ line: 2 }),
  aFoundRow({
    line: 3,
    itemName: "2022 VSTAR Universe #206/172 Turtwig",
    player: "Turtwig",
    year: "2022",
    gradingCompany: "CGC",
    certNumber: "1401019289294",
    imageUrl: "N/A",
    imageUrlBack: "N/A",
  }),
  aRow({ line: 4, status: "error", outcome: "not_found", imageUrl: "N/A", imageUrlBack: "N/A" }),
  aFoundRow({ line: 5, warnings: ["Number repaired: leading zero restored"] }),
  aRow({ line: 6 }),
  aRow({ line: 7, status: "failed", outcome: "timeout" }),
  aFoundRow({ line: 8, imageUrl: "N/A" }),
];
const linesOf = (filter: Parameters<typeof filterRows>[1], find = ""): number[] =>
  filterRows(rows, filter, find).map((row) => row.line);

test("the counts are those of the rows each filter shows", () => {
  expect(countByFilter(rows)).toEqual({ all: 7, needs_a_look: 3, no_image: 1 });
  expect(linesOf("all")).toEqual([2, 3, 4, 5, 6, 7, 8]);
  expect(linesOf("needs_a_look")).toEqual([4, 5, 7]);
  expect(linesOf("no_image")).toEqual([3]);
});

test.each([
  ["turtwig", [3]],
  ["TURTWIG cgc", [3]],
  ["griffey 1989", [2, 5, 8]],
  ["1401019289294", [3]],
  ["  ", [2, 3, 4, 5, 6, 7, 8]],
  ["turtwig griffey", []],
])("finding %j shows lines %j", (find, expected) => {
  expect(linesOf("all", find)).toEqual(expected);
});

test("the find box narrows what the filter leaves", () => {
  expect(linesOf("needs_a_look", "griffey")).toEqual([5]);
});

test("without filter and words the very same list comes back", () => {
  expect(filterRows(rows, "all", "")).toBe(rows);
});

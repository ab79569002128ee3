import fc from "fast-check";
import { expect, test } from "vitest";
import { reasonsWith } from "../review/use-review-reasons.ts";
import { aCardsiqPrice, aFoundRow, aPricedRow, aRow } from "../../run/row-factory.test-data.ts";
import { failureKindOf } from "../../run/run-progress.ts";
import {
  countByFilter,
  filterRows,
  findRows,
  hiddenMatchesOf,
  offeredFilters,
  prepareFind,
  ROW_FILTERS,
  type RowFilter,
} from "./row-filter.ts";

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
    imageFlags: ["no_image"],
  }),
  aRow({ line: 4, status: "error", outcome: "not_found", imageUrl: "N/A", imageUrlBack: "N/A" }),
  aFoundRow({ line: 5, warnings: ["Number repaired: leading zero restored"] }),
  aRow({ line: 6 }),
  aRow({ line: 7, status: "failed", outcome: "timeout" }),
  aFoundRow({ line: 8, imageUrl: "N/A", imageFlags: ["one_side"] }),
  aRow({ line: 9, status: "waiting", outcome: "quota_exhausted" }),
  aRow({ line: 10, status: "queued" }),
  aRow({ line: 11, status: "error", outcome: "invalid_number" }),
  aRow({ line: 12, status: "error", outcome: "forbidden" }),
  aFoundRow({ line: 13, mismatches: ["your sheet: PSA 10, registry: MINT 9"] }),
  aFoundRow({ line: 14, priceText: "cheap", warnings: ['Price "cheap" is not an amount; it is kept as typed'] }),
  aFoundRow({
    line: 15,
    itemName: "1960 Topps #91",
    player: null,
    year: "1960",
    prices: { cardladder: { state: "none", message: "No price" }, cardsiq: { state: null, message: "" } },
  }),
  aPricedRow({
    line: 16,
    itemName: "2002 Exodia",
    year: "2002",
    player: null,
    cardsiq: aCardsiqPrice({ estimatedValue: 300 }),
  }),
  aFoundRow({ line: 17, itemName: "2003 Exodia", year: "2003", player: null, imageFlags: ["same_sides"] }),
  aFoundRow({
    line: 18,
    itemName: "2004 Exodia",
    year: "2004",
    player: null,
    mismatches: ["your sheet: 2003, grader: 2004"],
    reviewedAt: "2026-11-21T10:00:00.000Z",
  }),
];
const reasonsOf = reasonsWith({ highValue: 500, doubtsFrom: 0 });
const found = (of: typeof rows, filter: RowFilter, find: string, reasons = reasonsOf) =>
  findRows(filterRows(of, filter, reasons), find);
const linesOf = (filter: RowFilter, find = ""): number[] => found(rows, filter, find).map((row) => row.line);

test.each([
  ["all", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]],
  ["no_price", [15]],
  ["sources_disagree", [16]],
  ["needs_review", [3, 4, 7, 8, 11, 12, 13, 14, 16, 17]],
  ["no_image", [3]],
  ["one_side", [8]],
  ["same_sides", [17]],
  ["differs", [13, 18]],
  ["repaired", [5]],
  ["not_found", [4]],
  ["outage", [7]],
  ["invalid", [11]],
  ["needs_admin", [12]],
  ["waiting", [9, 10]],
] as const)("%s shows lines %j and counts as many", (filter, expected) => {
  expect(linesOf(filter)).toEqual(expected);
  expect(countByFilter(rows, reasonsOf)[filter]).toBe(expected.length);
});

test.each([
  ["not_found", "not_found"],
  ["blocked", "outage"],
  ["quota_exhausted", "outage"],
  ["timeout", "outage"],
  ["unavailable", "outage"],
  ["invalid_row", "invalid"],
  ["invalid_number", "invalid"],
  ["not_configured", "needs_admin"],
  ["forbidden", "needs_admin"],
  [null, "needs_admin"],
] as const)("a row that failed with %s has the kind %s", (outcome, kind) => {
  expect(failureKindOf(outcome)).toBe(kind);
});

test("filters by cause are offered while they match rows, the active one also afterwards", () => {
  expect(offeredFilters(countByFilter([], reasonsOf), "all")).toEqual(["all", "needs_review", "no_image"]);
  expect(offeredFilters(countByFilter([], reasonsOf), "invalid")).toEqual([
    "all",
    "needs_review",
    "no_image",
    "invalid",
  ]);
  expect(offeredFilters(countByFilter(rows, reasonsOf), "all")).toEqual(ROW_FILTERS);
});

test.each([
  ["turtwig", [3]],
  ["TURTWIG cgc", [3]],
  ["griffey 1989", [2, 5, 8, 13, 14]],
  ["registry mint", [13]],
  ["zero restored", [5]],
  ["1401019289294", [3]],
  ["  ", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]],
  ["turtwig griffey", []],
])("finding %j shows lines %j", (find, expected) => {
  expect(linesOf("all", find)).toEqual(expected);
});

test("the find box narrows the filtered rows", () => {
  expect(linesOf("needs_review", "griffey")).toEqual([8, 13, 14]);
});

test("without filter and text the same list is returned", () => {
  expect(found(rows, "all", "")).toBe(rows);
});

test("matches in fields that no visible column shows are counted, and their fields named", () => {
  const some = [
    aFoundRow({ line: 2, notes: "box 7", variety: "Refractor", year: "1989" }),
    aFoundRow({ line: 3, notes: "box 8", warnings: ["Number repaired: leading zero restored"] }),
  ];
  const columns = ["itemName", "certification", "year"];
  const matches = (find: string, columnIds = columns) =>
    hiddenMatchesOf(
      found(some, "all", find, () => []),
      find,
      columnIds,
    );
  expect(matches("BOX")).toEqual({ count: 2, fields: ["Notes"] });
  expect(matches("refractor box")).toEqual({ count: 1, fields: ["Variety", "Notes"] });
  expect(matches("repaired")).toEqual({ count: 1, fields: ["Changes"] });
  expect([matches("box", [...columns, "notes"]), matches("1989"), matches(" ")]).toEqual([null, null, null]);
});

test("finds the rows that contain every word, of any number of rows", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "ab ", "İ", "7"), maxLength: 6 });
  const word = fc.constantFrom("a", "B", "ab", "ba", "7", "aa", "psa", "i");
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 9 }), fc.array(word, { maxLength: 3 }), (names, words) => {
      const many = Array.from({ length: 1_100 }, (_, index) =>
        aFoundRow({ line: index + 2, itemName: names[index % names.length] ?? "", player: null, brand: null }),
      );
      const isFound = ({ itemName, gradingCompany, certNumber, ...others }: (typeof many)[number]) => {
        const { year, cardNumber, grade, sport, variety, language } = others;
        const texts = [itemName, gradingCompany, certNumber, year, cardNumber, grade, sport, variety, language];
        return words.every((one) => texts.some((text) => text?.toLowerCase().includes(one.toLowerCase())));
      };
      expect(findRows(many, words.join(" "))).toEqual(many.filter(isFound));
    }),
    { numRuns: 30 },
  );
});

test("the prepared text is the text that Find searches", async () => {
  const some = Array.from({ length: 1_200 }, (_, index) => aFoundRow({ line: index + 2, player: `Player ${index}` }));
  await prepareFind(some);
  expect(found(some, "all", "player 1199")).toEqual([some[1_199]]);
});

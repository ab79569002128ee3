import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aCardsiqPrice, aFoundRow, aPricing, aRow } from "../../run/row-factory.test-data.ts";
import { COLUMN_IDS } from "./columns.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { nextSort, RowSorter, type SortDirection } from "./row-sorter.ts";

const RULE: OfferRule = {
  metric: "cardladderEstimate",
  tiers: [{ from: 0, percent: 50 }],
  roundTo: 1,
  rounding: "down",
};

const linesBy = (columnId: string, direction: SortDirection, rows: RowsSnapshot): number[] =>
  new RowSorter().sort(rows, { columnId, direction }, RULE).map(({ line }) => line);

/** Lines 2, 3, 4 … with one field each; the last but one has none, the last is not looked up. */
const rowsWith = (fields: readonly Partial<ResultRow>[], none: Partial<ResultRow>): ResultRow[] => [
  ...fields.map((given, index) => aFoundRow({ line: index + 2, ...given })),
  aFoundRow({ line: fields.length + 2, ...none }),
  aRow({ line: fields.length + 3, certNumber: "" }),
];
const texts = (field: keyof ResultRow, values: readonly string[]): ResultRow[] =>
  rowsWith(
    values.map((value) => ({ [field]: value })),
    { [field]: "N/A" },
  );

test.each<[columnId: string, rows: ResultRow[], ascending: number[], descending?: number[]]>([
  ["grade", texts("grade", ["GEM MT 10", "NM-MT 8.5", "Authentic", "MINT 9"]), [4, 3, 5, 2, 6, 7]],
  ["year", texts("year", ["2018-19", "1989", "2017"]), [3, 4, 2, 5, 6]],
  ["cardNumber", texts("cardNumber", ["100", "9", "SM210", "SM9", "4/102"]), [6, 3, 2, 5, 4, 7, 8]],
  ["player", texts("player", ["Zidane", "ångström", "Angus", "ana", "Ñandú"]), [5, 3, 4, 6, 2, 7, 8]],
  ["brand", texts("brand", ["TOPPS", "Bowman"]), [3, 2, 4, 5]],
  ["language", texts("language", ["Japanese", "English"]), [3, 2, 4, 5]],
  ["sport", texts("sport", ["Pokémon", "BASEBALL"]), [3, 2, 4, 5]],
  ["inventoryName", texts("inventoryName", ["PSA 9 B", "PSA 10 A", "PSA 9 A"]), [4, 2, 3, 5, 6]],
  ["inventoryName", texts("inventoryName", ["2 b", "10 a"]), [2, 3, 4, 5]],
  ["population", rowsWith([{ population: 204 }, { population: 0 }, { population: 12 }], {}), [3, 4, 2, 5, 6]],
  ["price", rowsWith([{ price: 9.5 }, { price: 100 }, { price: -1 }], { price: null }), [4, 2, 3, 5, 6]],
  [
    "customerPrice",
    rowsWith(
      [
        { price: 9, customerPrice: "9.90" },
        { price: 100, customerPrice: "110.00" },
      ],
      { price: null },
    ),
    [2, 3, 4, 5],
  ],
  [
    "certification",
    [
      aRow({ line: 2, gradingCompany: "psa", certNumber: "98174651" }),
      aRow({ line: 3, gradingCompany: "PSA", certNumber: "1020688" }),
      aRow({ line: 4, gradingCompany: "CGC", certNumber: "1401019289294" }),
    ],
    [4, 3, 2],
    [2, 3, 4],
  ],
  ["images", rowsWith([{ imageFlags: ["no_image"] }, {}], { imageFlags: [] }), [3, 4, 2, 5], [2, 3, 4, 5]],
  [
    "marketData",
    rowsWith([{ pricing: aPricing({ medianPrice: null, averagePrice: 9 }) }, { pricing: aPricing() }], {}),
    [2, 3, 4, 5],
  ],
  [
    "cardladderEstimate",
    rowsWith([{ pricing: aPricing() }, { pricing: aPricing({ cardladderEstimate: 8 }) }], {}),
    [3, 2, 4, 5],
  ],
  [
    "cardsiqEstimate",
    rowsWith([{ cardsiq: aCardsiqPrice() }, { cardsiq: aCardsiqPrice({ estimatedValue: 8 }) }], {}),
    [3, 2, 4, 5],
  ],
  [
    "cardsiqLastSale",
    rowsWith([{ cardsiq: aCardsiqPrice() }, { cardsiq: aCardsiqPrice({ lastSalePrice: 8 }) }], {}),
    [3, 2, 4, 5],
  ],
  ["buyOffer", rowsWith([{ pricing: aPricing() }, { pricing: aPricing({ cardladderEstimate: 8 }) }], {}), [3, 2, 4, 5]],
  [
    "processedAt",
    rowsWith([{ processedAt: "2026-11-21T10:00:00.000Z" }, { processedAt: "2026-11-03T10:00:00.000Z" }], {}),
    [3, 2, 4, 5],
  ],
])("by %s; missing values come last both ways", (columnId, rows, ascending, given) => {
  expect(linesBy(columnId, "ascending", rows)).toEqual(ascending);
  const descending = given ?? [...ascending.slice(0, -2).toReversed(), ...ascending.slice(-2)];
  expect(linesBy(columnId, "descending", rows)).toEqual(descending);
});

test("every column can be sorted", () => {
  const row = aFoundRow({
    language: "English",
    cardNumber: "1",
    population: 1,
    sport: "BASEBALL",
    inventoryName: "PSA 9",
    price: 4,
    customerPrice: "4.40",
    notes: "box 2",
    pricing: aPricing(),
    cardsiq: aCardsiqPrice(),
    processedAt: "2026-11-21T10:00:00.000Z",
  });
  for (const columnId of COLUMN_IDS)
    expect(linesBy(columnId, "ascending", [aRow({ line: 1, certNumber: "" }), row])).toEqual(
      columnId === "certification" ? [1, 2] : [2, 1],
    );
});

test("rows with equal keys are in the order of the sheet, both ways", () => {
  const rows = [2, 3, 4, 5].map((line) => aFoundRow({ line, year: line === 3 ? "1960" : "1989" }));
  expect(linesBy("year", "ascending", rows)).toEqual([3, 2, 4, 5]);
  expect(linesBy("year", "descending", rows)).toEqual([2, 4, 5, 3]);
});

test("a click: ascending, descending, the order of the sheet; another column starts over", () => {
  const first = nextSort(null, "grade");
  const second = nextSort(first, "grade");
  expect([first, second, nextSort(second, "grade")]).toEqual([
    { columnId: "grade", direction: "ascending" },
    { columnId: "grade", direction: "descending" },
    null,
  ]);
  expect(nextSort(second, "year")).toEqual({ columnId: "year", direction: "ascending" });
});

test("the order of the sheet is the same list; a repeated call returns the same result", () => {
  const rows = [aFoundRow({ line: 2, year: "1990" }), aFoundRow({ line: 3, year: "1980" })];
  const sorter = new RowSorter();
  expect(sorter.sort(rows, null, null)).toBe(rows);
  const sort = { columnId: "year", direction: "ascending" } as const;
  expect(sorter.sort(rows, sort, null)).toBe(sorter.sort(rows, sort, null));
});

const aYear = fc.constantFrom("1960", "1989", "2018-19", "N/A", null);
const aChange = fc.record({ line: fc.integer({ min: 1, max: 40 }), year: aYear });

test("rows that arrive, change, and leave during a run stand where a full sort would put them", () => {
  fc.assert(
    fc.property(
      fc.array(aYear, { minLength: 20, maxLength: 40 }),
      fc.array(fc.array(aChange, { maxLength: 4 }), { maxLength: 6 }),
      fc.constantFrom<SortDirection>("ascending", "descending"),
      (years, steps, direction) => {
        const sort = { columnId: "year", direction };
        const sorter = new RowSorter();
        let rows = years.map((year, index) => aRow({ line: index + 1, year }));
        sorter.sort(rows, sort, null);
        for (const changes of steps) {
          const byLine = new Map(rows.map((row) => [row.line, row]));
          for (const { line, year } of changes) {
            if (line % 7 === 0) byLine.delete(line);
            else byLine.set(line, aRow({ line, year }));
          }
          rows = [...byLine.values()].sort((one, other) => one.line - other.line);
          expect(sorter.sort(rows, sort, null)).toEqual(new RowSorter().sort(rows, sort, null));
        }
      },
    ),
  );
});

import { expect, test } from "vitest";
import { aFoundRow, aPricedRow, aPricing, aRow } from "../../run/row-factory.test-data.ts";
import { listingReportOf, percentIn } from "./ListingDialog.tsx";

const pricing = (estimate: number | null, medianPrice: number | null) =>
  aPricing({ cardladderEstimate: estimate, medianPrice });
const rows = [
  aPricedRow({ line: 2, certNumber: "1", customerPrice: "132.00", pricing: pricing(1351, 1300), cardsiq: null }),
  aPricedRow({ line: 3, certNumber: "2", customerPrice: "55.00", pricing: pricing(null, 60), cardsiq: null }),
  aPricedRow({ line: 4, certNumber: "3", customerPrice: "44.00", pricing: pricing(40, 38), cardsiq: null }),
  aPricedRow({ line: 5, certNumber: "1", customerPrice: "99.00", pricing: pricing(1351, 1300), cardsiq: null }),
  aFoundRow({ line: 6, certNumber: "4", customerPrice: "0.00" }),
  aRow({ line: 7, certNumber: "5", status: "error", outcome: "not_found" }),
];

test.each([
  ["customerPrice", 100, { count: 4, unpricedCount: 1, total: 231 }, ["2: 132 of 1351", "3: 55 of 60"]],
  ["estimate", 100, { count: 4, unpricedCount: 2, total: 1391 }, []],
  ["estimate", 90, { count: 4, unpricedCount: 2, total: 1251.9 }, ["2: 1215.9 of 1351", "4: 36 of 40"]],
  ["median", 100, { count: 4, unpricedCount: 1, total: 1398 }, ["2: 1300 of 1351", "4: 38 of 40"]],
] as const)(
  "at %s × %i %%: what is listed once, without a price, and below market",
  (listAt, listPercent, counts, below) => {
    const report = listingReportOf(rows, { listAt, listPercent });
    expect(report).toMatchObject(counts);
    expect(report.below.map(({ row, price, market }) => `${row.line}: ${price} of ${market}`)).toEqual(below);
  },
);

test.each([
  ["× 120%", 120],
  ["97.5", 97.5],
  [" × 97,5 % ", 97.5],
  ["33.333", 33.33],
  ["1000", 1000],
  ["1001", null],
  ["0", null],
  ["-5", null],
  ["1e2", null],
  ["5 0", null],
  ["× 110%5", null],
  ["", null],
  ["ten", null],
])("%j is the percentage %s", (text, percent) => {
  expect(percentIn(text)).toBe(percent);
});

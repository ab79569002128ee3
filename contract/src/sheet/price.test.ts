import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { customerPriceOf, parsePrice } from "./price.ts";
import { judgeRow } from "./row.ts";

describe("parsePrice", () => {
  it.each([
    ["12.5", 12.5],
    [" $1,234.50 ", 1234.5],
    ["1.234,50 €", 1234.5],
    ["12,50", 12.5],
    ["1,234", 1234],
    ["0", 0],
    ["-5", -5],
    ["USD 30", 30],
    [".5", 0.5],
    ["1e3", 1000],
    ["12.", 12],
    ["1 234,50 EUR", 1234.5],
    ["1\u00a0234.50", 1234.5],
    ["-$5", -5],
    ["$ -5 USD", -5],
  ])("%j is %d", (cell, amount) => {
    expect(parsePrice(cell)).toEqual({ kind: "amount", amount });
  });

  it.each([
    "twelve",
    "12.5.1",
    "1,2,3",
    "98174651123456",
    "=1+1",
    "10 20",
    "$12 $13",
    "5 USD 10",
    "--5",
    "$",
    `1${" ".repeat(30_000)}x`,
  ])("%j is kept as text", (cell) => {
    expect(parsePrice(cell)).toEqual({ kind: "unreadable", text: cell });
  });

  it("treats an empty cell as no price", () => {
    expect(parsePrice("  ")).toEqual({ kind: "none" });
  });
});

describe("customerPriceOf", () => {
  it.each([
    [100, "110.00"],
    [12.5, "13.75"],
    [4.35, "4.79"],
    [0.15, "0.17"],
    [0, "0.00"],
    [-5, "0.00"],
    [null, "0.00"],
  ])("%j gives %s", (price, expected) => {
    expect(customerPriceOf(price)).toBe(expected);
  });

  it("is 110 % of whole cents, rounded half up", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (cents) => {
        const exact = BigInt(cents) * 11n;
        const rounded = (exact + 5n) / 10n;
        expect(customerPriceOf(cents / 100)).toBe(`${rounded / 100n}.${String(rounded % 100n).padStart(2, "0")}`);
      }),
    );
  });
});

it.each([
  ["1.250", ['Price "1.250" is read as 1.25; if you meant 1250, type 1250']],
  ["$ 45.125", ['Price "$ 45.125" is read as 45.125; if you meant 45125, type 45125']],
  ["1.250 €", ['Price "1.250 €" is read as 1.25 dollars; if you meant 1250, type 1250']],
  ["1.250,00", ['Price "1.250,00" is read as 1250']],
  ["12,5", ['Price "12,5" is read as 12.5']],
  ["1 250", ['Price "1 250" is read as 1250']],
  ["1e3", ['Price "1e3" is read as 1000']],
  ["€12", ['Price "€12" is read as 12 dollars']],
  ["12 eur", ['Price "12 eur" is read as 12 dollars']],
  ["£1,250.00", ['Price "£1,250.00" is read as 1250 dollars']],
  ["twelve", ['Price "twelve" is not an amount; it is kept as typed']],
  ["1.25", []],
  ["1,250", []],
  ["$1,200.00", []],
  ["USD 30", []],
  ["-$5.00", []],
  [" .5 $ ", []],
  ["", []],
])("reports how %s is read if the text is ambiguous", (price, warnings) => {
  expect(judgeRow({ certNumber: "98174651", gradingCompany: "PSA", price }).warnings).toEqual(warnings);
});

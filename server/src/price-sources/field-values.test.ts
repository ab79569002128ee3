import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCents, readConfidence, readCount, readSaleDate, readSales } from "./field-values.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

test.each<[unknown, number | null]>([
  [15_600, 1_560_000],
  [16_732.71, 1_673_271],
  [1.005, 101],
  ["133.5", 13_350],
  [" 120 ", 12_000],
  [0.01, 1],
  [100_000_000, 10_000_000_000],
  [0, null],
  [0.004, null],
  [-5, null],
  ["-5", null],
  [100_000_001, null],
  [1e300, null],
  ["1e3", null],
  ["$5", null],
  ["", null],
  ["9".repeat(100_000), null],
  [null, null],
  [undefined, null],
  [true, null],
  [[5], null],
  [{ price: 5 }, null],
])("%j dollars are %j cents", (dollars, cents) => {
  expect(readCents(dollars)).toBe(cents);
});

test("every whole number of cents survives the conversion to dollars", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), (cents) => {
      expect(readCents(cents / 100)).toBe(cents);
      expect(readCents((cents / 100).toFixed(2))).toBe(cents);
    }),
  );
});

test.each<[unknown, number | null, number | null]>([
  [5, 5, 5],
  ["3", 3, 3],
  [0, null, 0],
  [6, null, 6],
  [4.5, null, null],
  [-1, null, null],
  [1e9, null, null],
  ["five", null, null],
])("confidence %j gives confidence %j and count %j", (value, confidence, count) => {
  expect([readConfidence(value), readCount(value)]).toEqual([confidence, count]);
});

test.each<[unknown, string | null]>([
  ["2026-04-29T03:59:01.000Z", "2026-04-29T03:59:01.000Z"],
  ["2026-04-29T03:59:01", "2026-04-29T03:59:01.000Z"],
  ["2026-04-29 03:59", "2026-04-29T03:59:00.000Z"],
  ["2026-04-29T03:59:01+02:00", "2026-04-29T01:59:01.000Z"],
  ["2026-04-29", "2026-04-29T00:00:00.000Z"],
  ["2026-11-22T11:00:00Z", "2026-11-22T11:00:00.000Z"],
  ["2026-11-23", null],
  ["2099-01-01", null],
  ["1970-01-01T00:00:00Z", null],
  ["0000-01-01", null],
  ["2026-13-01", null],
  ["04/29/2026", null],
  ["yesterday", null],
  ["1", null],
  ["", null],
  [1_777_435_141_000, null],
  [null, null],
])("sale time %j is %j", (date, soldAt) => {
  expect(readSaleDate(date, NOW)).toBe(soldAt);
});

describe("a list of sales", () => {
  test("keeps sales with a price and a date", () => {
    const sales = readSales(
      [
        { date: "2026-03-11T00:33:00.000Z", price: 120, platform: " eBay\u0000  US ", url: "https://ebay.test" },
        { date: "2026-03-10", price: "99.99" },
        { date: "2026-03-12", price: 0, platform: "eBay" },
        { date: "soon", price: 5 },
        { price: 5 },
        { date: "2026-03-09", price: 7, platform: "x".repeat(10_000) },
        { date: "2026-03-08", price: 8, platform: { name: "eBay" } },
        null,
        "120",
        [],
      ],
      NOW,
    );
    expect(sales).toEqual([
      { soldAt: "2026-03-11T00:33:00.000Z", cents: 12_000, platform: "eBay US" },
      { soldAt: "2026-03-10T00:00:00.000Z", cents: 9999, platform: null },
      { soldAt: "2026-03-09T00:00:00.000Z", cents: 700, platform: "x".repeat(60) },
      { soldAt: "2026-03-08T00:00:00.000Z", cents: 800, platform: null },
    ]);
  });

  test("is read up to 1,000 entries, and cut to the newest 500 sales", () => {
    const list = Array.from({ length: 1_001 }, (_none, day) => ({
      date: new Date(Date.parse("2000-01-01") + day * 86_400_000).toISOString(),
      price: day + 1,
    }));
    const sales = readSales(list, NOW);
    expect(sales).toHaveLength(500);
    expect(sales[0]?.soldAt).toBe(list[999]?.date);
  });

  test("never throws and never contains what the database refuses", () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (list) => {
        for (const { soldAt, cents, platform } of readSales(list, NOW)) {
          expect(Number.isSafeInteger(cents) && cents > 0).toBe(true);
          expect(new Date(soldAt).toISOString()).toBe(soldAt);
          expect(platform ?? "").not.toContain("\0");
        }
      }),
    );
  });
});

import { expect, test } from "vitest";
import { axisDays, axisLines, CARDS, formatShare, MONEY } from "./chart-series.ts";

test.each([
  [0, undefined, [0, 1]],
  [1, undefined, [0, 1]],
  [3, undefined, [0, 1, 2, 3]],
  [7, undefined, [0, 3, 6, 9]],
  [417, undefined, [0, 150, 300, 450]],
  [25_400, undefined, [0, 10_000, 20_000, 30_000]],
  [150, 2500, [0, 1250, 2500]],
  [2500, 2500, [0, 1250, 2500]],
  [3000, 2500, [0, 1000, 2000, 3000]],
])("an axis up to %j with the limit %j has its lines at %j", (highest, limit, lines) => {
  expect(axisLines(highest, limit)).toEqual(lines);
});

test("no axis line is between two whole cards, and the highest bar is below the last line", () => {
  const wrong = Array.from({ length: 3_000 }, (_, index) => index + 1).filter((highest) => {
    const lines = axisLines(highest, undefined);
    return !lines.every((line) => Number.isInteger(line)) || (lines.at(-1) ?? 0) < highest || lines.length > 4;
  });
  expect(wrong).toEqual([]);
});

test("days are in UTC, and an axis names the first day of each month", () => {
  expect(axisDays(["2026-09-30", "2026-10-01", "2026-10-02", "2026-11-01"])).toEqual(["2026-10-01", "2026-11-01"]);
});

test.each([
  [0, 0, "0%"],
  [1, 3, "33%"],
  [402, 15_124, "2.7%"],
  [12, 15_124, "under 0.1%"],
  [3, 3, "100%"],
])("%j of %j are %j", (part, whole, message) => {
  expect(formatShare(part, whole)).toBe(message);
});

test("long and short numbers", () => {
  expect([CARDS.long(1), CARDS.long(14_093), CARDS.short(14_093)]).toEqual(["1 card", "14,093 cards", "14.1K"]);
  expect([MONEY.long(724_856.4), MONEY.short(724_856.4)]).toEqual(["$724,856", "$725K"]);
});

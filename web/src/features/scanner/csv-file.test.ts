import { expect, test } from "vitest";
import { isCsvFile } from "./csv-file.ts";

test.each([
  ["cards.csv", "text/csv", true],
  ["cards.CSV", "application/vnd.ms-excel", true],
  ["cards.csv", "", true],
  ["cards.xls", "application/vnd.ms-excel", false],
  ["cards.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", false],
  ["cards.txt", "text/plain", false],
  ["cards.csv", "text/plain", false],
  ["cards", "", false],
])("%s of type %j is taken as CSV: %j", (name, type, expected) => {
  expect(isCsvFile({ name, type })).toBe(expected);
});

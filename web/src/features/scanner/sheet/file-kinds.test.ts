import { expect, test } from "vitest";
import { isSheetFile, joinedName, refusalOf } from "./file-kinds.ts";

test.each([
  ["cards.csv", "text/csv", true],
  ["cards", "text/csv", true],
  ["cards.CSV", "application/vnd.ms-excel", true],
  ["cards.csv", "", true],
  ["cards.tsv", "text/tab-separated-values", true],
  ["cards.txt", "text/plain", true],
  ["cards.xls", "application/vnd.ms-excel", true],
  ["Cards.XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", true],
  ["cards.pdf", "application/pdf", false],
  ["cards.csv", "image/png", false],
  ["cards.xlsx.exe", "", false],
  ["cards", "", false],
])("%s of type %j is accepted as a sheet: %j", (name, type, expected) => {
  expect(isSheetFile({ name, type })).toBe(expected);
});

test("one wrong file is refused with the specified text, one of several by its name", () => {
  const sheet = { name: "a.csv", type: "text/csv" };
  const image = { name: "front.png", type: "image/png" };
  expect(refusalOf([sheet])).toBeNull();
  expect(refusalOf([image])).toBe("Please select a valid CSV file.");
  expect(refusalOf([sheet, image])).toBe(
    "Please select a valid CSV file. “front.png” isn't a CSV, Excel or text file.",
  );
});

test("a session of several files is named after the first", () => {
  expect(joinedName(["a.csv"])).toBe("a.csv");
  expect(joinedName(["a.csv", "b.xlsx", "c.csv"])).toBe("a.csv + 2 more");
});

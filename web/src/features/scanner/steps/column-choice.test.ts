import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";
import { expect, test } from "vitest";
import { choiceOf, optionsFor, withChoice } from "./column-choice.ts";

const NOTHING: SheetMapping = { headerLine: 0, columns: {}, company: null };

test("a field uses one column, and a column fills one field", () => {
  const asNumber = withChoice(NOTHING, "certNumber", "2");
  expect(asNumber).toEqual({ headerLine: 0, columns: { certNumber: 2 }, company: null });
  expect(choiceOf("certNumber", asNumber)).toBe("2");
  expect(withChoice(asNumber, "price", "2").columns).toEqual({ price: 2 });
  expect(withChoice(asNumber, "certNumber", "").columns).toEqual({});
});

test("one company for all rows replaces a column, and a column replaces it", () => {
  const forAll = withChoice(withChoice(NOTHING, "gradingCompany", "1"), "gradingCompany", "all CGC");
  expect(forAll).toEqual({ headerLine: 0, columns: {}, company: "CGC" });
  expect(choiceOf("gradingCompany", forAll)).toBe("all CGC");
  expect(withChoice(forAll, "price", "3").company).toBe("CGC");
  expect(withChoice(forAll, "gradingCompany", "1")).toEqual({
    headerLine: 0,
    columns: { gradingCompany: 1 },
    company: null,
  });
});

test("columns without a name are numbered; only the company can be the same for all rows", () => {
  expect(optionsFor("price", ["Cost", " "]).map(({ label }) => label)).toEqual([
    "Not in this sheet",
    "Cost",
    "Column 2",
  ]);
  expect(optionsFor("gradingCompany", []).map(({ label }) => label)).toEqual([
    "From the numbers",
    "All cards are PSA",
    "All cards are CGC",
    "All cards are TAG",
  ]);
});

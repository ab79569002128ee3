import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import { expect, test } from "vitest";
import { adviceFor, NOTES_LISTED, summarizeSheet, type SheetSummary } from "./sheet-summary.ts";

function summaryOf(...lines: string[]): SheetSummary {
  const reading = parseSheet(["CertNumber,GradingCompany,Price,Notes", ...lines].join("\n"));
  if (!reading.ok) throw new Error(reading.message);
  return summarizeSheet(reading.sheet).asTyped;
}

test("every row is ready, a duplicate, or invalid", () => {
  const summary = summaryOf(
    "98174651,PSA",
    "98174651,psa",
    "1401019289294,CGC",
    "C1240631,TAG",
    "1.45531E+08,PSA",
    ",PSA",
    "123,BGS",
  );
  expect(summary).toMatchObject({ rowCount: 7, ready: 3, duplicates: 1, damaged: { count: 3 } });
  expect(summary.byCompany).toEqual({ PSA: 1, CGC: 1, TAG: 1 });
});

test("the same certificate typed differently is a duplicate", () => {
  expect(summaryOf("1401019289294,CGC", "1401019289-294,CGC")).toMatchObject({ ready: 1, duplicates: 1 });
});

test("remarks have the line number of a spreadsheet, the text as typed, and a message", () => {
  const summary = summaryOf("98174651,PSA,120", "1020688,PSA,cheap", "99,PSA,1");
  expect(summary.repaired.notes).toEqual([
    { line: 3, where: "line 3", typed: "1020688", becomes: "01020688", message: "leading zero restored" },
  ]);
  expect(summary.unreadablePrices.notes).toMatchObject([{ line: 3, typed: "cheap" }]);
  expect(summary.damaged.notes).toMatchObject([{ line: 4, typed: "99" }]);
});

test("a suggestion quotes the sheet as typed", () => {
  const reading = parseSheet("Cert,Grader\n4135876101,PSA 10\n");
  const { asTyped } = summarizeSheet(reading.ok ? reading.sheet : { header: [], rows: [] });
  expect(asTyped.suggested.notes).toMatchObject([{ becomes: "CGC", message: "The sheet says PSA 10" }]);
});

test("all remarks are counted, the first ones are listed", () => {
  const summary = summaryOf(...Array.from({ length: NOTES_LISTED + 5 }, () => "12,PSA"));
  expect(summary.damaged.count).toBe(NOTES_LISTED + 5);
  expect(summary.damaged.notes).toHaveLength(NOTES_LISTED);
});

test.each([
  ["", "PSA", /^Type the number/],
  ["C1240631", "", /^“Accept all” in the plan looks it up at TAG/],
  ["1401019289294", "PSA", /looks it up at CGC/],
  ["hello", "", /^The number does not tell its company/],
  ["98174651", "BGS", /^The row stays in your sheet/],
  ["1.45531E+08", "PSA", /^nothing$/],
  ["12", "PSA", /^nothing$/],
])("%j at %j: %s", (certNumber, gradingCompany, advice) => {
  const verdict = judgeRow({ certNumber, gradingCompany, price: "" });
  if (verdict.kind === "ready") throw new Error("The row is not damaged");
  expect(adviceFor({ certNumber, gradingCompany }, verdict) ?? "nothing").toMatch(advice);
});

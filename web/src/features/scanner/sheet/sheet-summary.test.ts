import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import { expect, test } from "vitest";
import { summarizeSheet } from "./sheet-summary.ts";

function viewOf(...lines: string[]) {
  const reading = parseSheet(["CertNumber,GradingCompany,Price,Notes", ...lines].join("\n"));
  if (!reading.ok) throw new Error(reading.message);
  return summarizeSheet(reading.sheet);
}

test("every line is looked up, a duplicate, or to fix, and says why", () => {
  const { summary, lines } = viewOf(
    "98174651,PSA,120",
    "98174651,psa",
    "1401019289-294,CGC,cheap",
    "C1240631,TAG",
    "1020688,PSA",
    "1.45531E+08,PSA",
    ",PSA",
    "98174651,BGS",
    "98174652,",
    "98174652,CGC",
    "hello,",
    "1020688,",
    "1.45531E+08,",
  );
  expect(summary).toMatchObject({ rowCount: 13, ready: 4, duplicates: 1, toFix: 8, guessed: 0, suggested: 2 });
  expect(summary.byCompany).toEqual({ PSA: 2, CGC: 1, TAG: 1 });
  expect(lines.map(({ where, state, message, becomes }) => [where, state, message, becomes])).toEqual([
    ["2", "ready", "", null],
    ["3", "duplicate", "of line 2, looked up once", null],
    ["4", "repaired", "dash removed; the cost isn't an amount and stays as typed", "1401019289294"],
    ["5", "ready", "", null],
    ["6", "repaired", "leading zero restored", "01020688"],
    ["7", "fix", expect.stringContaining("digits are lost"), null],
    ["8", "fix", "No cert number. Type it from the slab's label, or scan it", null],
    ["9", "fix", expect.stringContaining("Unsupported grading company: BGS"), null],
    ["10", "fix", "No grading company. Its number looks like PSA", null],
    ["11", "fix", expect.stringContaining("This looks like a PSA number"), null],
    ["12", "fix", "“hello” isn't a cert number. Type it from the slab's label", null],
    ["13", "fix", "Can't tell the company. Choose it here", null],
    ["14", "fix", expect.stringContaining("digits are lost"), null],
  ]);
});

test("the same rows have the same fingerprint, and other rows another", () => {
  const fingerprintOf = (...lines: string[]) => viewOf(...lines).summary.fingerprint;
  expect(fingerprintOf("98174651,PSA,1")).toBe(fingerprintOf("98174651,PSA,1"));
  expect(fingerprintOf("98174651,PSA,1")).not.toBe(fingerprintOf("98174651,PSA,2"));
});

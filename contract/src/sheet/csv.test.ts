import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSheet, formatCsv } from "./csv.ts";
import { parseSheet } from "./sheet.ts";
import { MISSING_FIELDS_MESSAGE, judgeRow } from "./row.ts";
import { TEMPLATE_LINES } from "./session-name.ts";

function rowsOf(text: string) {
  const reading = parseSheet(text);
  if (!reading.ok) throw new Error(reading.message);
  return reading.sheet.rows;
}

describe("parseSheet", () => {
  it("reads the template back, every row ready", () => {
    const rows = rowsOf(formatCsv(TEMPLATE_LINES));
    expect(rows.map((row) => judgeRow(row))).toMatchObject([
      { kind: "ready", company: "PSA", certNumber: "98174651", price: 120 },
      { kind: "ready", company: "CGC", certNumber: "1401019289294", price: 45.5 },
      { kind: "ready", company: "TAG", certNumber: "C1240631", price: 30 },
    ]);
  });

  it("keeps leading zeros, original cells and line numbers, and skips empty lines", () => {
    expect(rowsOf("CertNumber,GradingCompany,Box,Notes\n\n01020688,PSA,A 1,first\n,,,\n98174651,psa,,\n")).toEqual([
      {
        line: 3,
        cells: ["01020688", "PSA", "A 1", "first"],
        certNumber: "01020688",
        gradingCompany: "PSA",
        price: "",
        notes: "first",
      },
      {
        line: 5,
        cells: ["98174651", "psa", "", ""],
        certNumber: "98174651",
        gradingCompany: "psa",
        price: "",
        notes: "",
      },
    ]);
  });

  it.each([
    ["semicolons and a mark", "\ufeffCertNumber;GradingCompany\n98174651;PSA"],
    ["semicolons and a last line end", "CertNumber;GradingCompany\n98174651;PSA\n"],
    ["semicolons with decimal commas", "CertNumber;GradingCompany;Price\n98174651;PSA;1,50\n"],
    ["commas with semicolons in a note", "CertNumber,GradingCompany,Notes\n98174651,PSA,a;b;c;d\n"],
    ["tabs and a last line end", "CertNumber\tGradingCompany\n98174651\tPSA\n"],
    ["tabs", "CertNumber\tGradingCompany\n98174651\tPSA"],
    ["other names of the columns", "Cert #,Grader\n98174651,PSA"],
    ["lines before the header", "Dallas show\n\nCertNumber,GradingCompany\n98174651,PSA"],
    ["columns in another order", "Notes,Grading Company,cert number\n,PSA,98174651"],
    ["a single row without a line end", "CertNumber,GradingCompany\r\n98174651,PSA"],
  ])("reads %s", (_what, text) => {
    expect(rowsOf(text)).toMatchObject([{ certNumber: "98174651", gradingCompany: "PSA" }]);
  });

  it.each([
    ["no certificate column", "A,B\n1,2", "No column is named CertNumber"],
    ["an open quotation mark", 'CertNumber,GradingCompany\n"98174651,PSA', "quotation mark"],
    ["a header alone", "CertNumber,GradingCompany\n", "no rows"],
    ["nothing", "", "The file is empty"],
  ])("refuses %s in words", (_what, text, words) => {
    expect(parseSheet(text)).toMatchObject({ ok: false, message: expect.stringContaining(words) });
  });

  it("gives back every cell of any sheet that it wrote itself", () => {
    const cell = fc.string();
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }), (lines) => {
        const text = formatCsv([["CertNumber", "GradingCompany", "Notes"], ...lines]);
        const reading = parseSheet(text);
        const kept = lines.filter((cells) => cells.some((each) => each.trim() !== ""));
        expect(reading.ok ? reading.sheet.rows.map((row) => row.cells) : []).toEqual(kept);
      }),
    );
  });
});

describe("decodeSheet", () => {
  const text = "CertNumber,Notes\n1,Pokémon";
  const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${text}`, (letter) => letter.charCodeAt(0)).buffer);
  it.each([
    ["UTF-8", new TextEncoder().encode(text)],
    ["UTF-16", utf16],
    ["Windows-1252", Uint8Array.from(text, (letter) => letter.charCodeAt(0))],
  ])("reads %s", (_name, bytes) => {
    expect(decodeSheet(bytes)).toBe(text);
  });
});

describe("judgeRow", () => {
  const row = { certNumber: "98174651", gradingCompany: "PSA", price: "" };
  it.each([
    [{ ...row, certNumber: " " }, MISSING_FIELDS_MESSAGE],
    [{ ...row, gradingCompany: "" }, "Missing CertNumber or GradingCompany"],
    [{ ...row, gradingCompany: " BGS " }, "Unsupported grading company: BGS. Supported companies are: PSA, CGC, TAG"],
  ])("answers SPEC's words: %j", (typed, message) => {
    expect(judgeRow(typed)).toMatchObject({ kind: "invalid", outcome: "invalid_row", message });
  });

  it("keeps an unreadable price as a warning and looks the card up all the same", () => {
    expect(judgeRow({ ...row, price: "twelve" })).toMatchObject({
      kind: "ready",
      price: null,
      warnings: ['Price "twelve" is not an amount; it is kept as typed'],
    });
  });

  it("tells what it repaired", () => {
    expect(judgeRow({ ...row, certNumber: "'1020688" })).toMatchObject({
      certNumber: "01020688",
      warnings: ["Number repaired: apostrophe removed, leading zero restored (typed: '1020688)"],
    });
  });
});

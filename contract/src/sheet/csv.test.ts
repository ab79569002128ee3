import fc from "fast-check";
import { describe, expect, it } from "vitest";
import Papa from "papaparse";
import { amount } from "../../../scripts/test-form.ts";
import { DELIMITERS } from "../api/sheet-format.ts";
import { anyText } from "./any-text.test-data.ts";
import { decodeSheet, formatCsv, formatCsvLines, parseCsv } from "./csv.ts";
import { parseSheet } from "./sheet.ts";
import { MISSING_FIELDS_MESSAGE, REPEATED_HEADER_MESSAGE, judgeRow } from "./row.ts";
import { TEMPLATE_LINES } from "./session-name.ts";

function rowsOf(text: string) {
  const reading = parseSheet(text);
  if (!reading.ok) throw new Error(reading.message);
  return reading.sheet.rows;
}

describe("parseSheet", () => {
  it("reads the template back with every row ready", () => {
    const rows = rowsOf(formatCsv(TEMPLATE_LINES));
    expect(rows.map((row) => judgeRow(row))).toMatchObject([
      { kind: "ready", company: "PSA", certNumber: "98174651", price: 120 },
      { kind: "ready", company: "CGC", certNumber: "1401019289294", price: 45.5 },
      { kind: "ready", company: "TAG", certNumber: "C1240631", price: 30 },
    ]);
  });

  it("keeps leading zeros, original cells, and line numbers, and skips empty lines", () => {
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
  ])("refuses %s with a message", (_what, text, message) => {
    expect(parseSheet(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });

  it.each([
    ["a quotation mark within a cell", 'CertNumber,GradingCompany,Notes\n98174651,PSA,5" box\n', '5" box'],
    ["quotation marks around one", 'CertNumber,GradingCompany,Notes\n98174651,PSA,"5" box, red"\n', '5" box, red'],
    ["a quoted word at the start", 'CertNumber,GradingCompany,Notes\n98174651,PSA,"Babe" Ruth\n', 'Babe" Ruth'],
    ["doubled ones", 'CertNumber,GradingCompany,Notes\n98174651,PSA,"the ""Babe"""\n', 'the "Babe"'],
    ["blanks after a quoted cell", 'CertNumber,GradingCompany,Notes\n98174651,PSA,"x" \n', "x"],
    ["a line end within a cell", 'CertNumber,GradingCompany,Notes\n98174651,PSA,"two\r\nlines"\n', "two\r\nlines"],
    ["a declared separator", "sep=|\r\nCertNumber|GradingCompany|Notes\r\n98174651|PSA|x,y;z", "x,y;z"],
    ["lines quoted as a whole", '"CertNumber,GradingCompany,Notes"\n"98174651,PSA,""x, y"""\n', "x, y"],
    ["one line quoted as a whole", 'CertNumber;GradingCompany;Notes\n"98174651;PSA;""x; y"""\n', "x; y"],
  ])("understands %s", (_what, text, notes) => {
    expect(rowsOf(text)).toMatchObject([{ certNumber: "98174651", gradingCompany: "PSA", notes }]);
  });

  it.each([
    ["never closed", 'CertNumber,Notes\n98174651,x\n98174652,"y\n98174653,z\n', "line 3"],
    ["closed by another's", 'CertNumber,Notes\r\n98174651,"x\r\n98174652,y\r\n98174653,"z"\r\n', "line 2"],
    ["closed rows further down", 'CertNumber,Notes\n"98174651\n98174652,y\n98174653",z\n', "line 2"],
    ["behind a cell of two lines", 'CertNumber,Notes\n98174651,"a\nb"\n98174652,"c\n98174653,d', "line 4"],
  ])("names the line of an %s quotation mark", (_what, text, line) => {
    expect(parseSheet(text)).toMatchObject({ ok: false, message: expect.stringContaining(`a cell in ${line} is not`) });
  });

  it.each([
    ["PK\u0003\u0004\u0014", "This is a workbook"],
    ["%PDF-1.7", "This is a PDF"],
    ["<!DOCTYPE html><table>", "This is a web page"],
    [`CertNumber\n98174651${",".repeat(500)}`, "Line 2 has more than 500 cells"],
    [`CertNumber\n${"9".repeat(32_768)}`, "A cell in line 2 is too long"],
  ])("says what %j is and what to do about it", (text, message) => {
    expect(parseSheet(text)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });

  /** Cells with difficult content. */
  const cell = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(...Array.from("\",;\t|\r\n'= a9")) }),
  );
  const lines = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 });

  it("returns every cell of any sheet that it wrote, whatever the separator", () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(...DELIMITERS), (lines, delimiter) => {
        const whole = [["CertNumber", "GradingCompany", "Notes"], ...lines];
        expect(parseCsv(formatCsv(whole, delimiter))).toEqual({ ok: true, delimiter, lines: whole });
      }),
      { numRuns: amount({ short: 30, long: 300 }) },
    );
  });

  it("writes what another parser reads, and reads what it writes", () => {
    const header = ["CertNumber", "GradingCompany", "Notes"];
    fc.assert(
      fc.property(lines, fc.constantFrom(...DELIMITERS), (lines, delimiter) => {
        const whole = [header, ...lines];
        const theirs = Papa.parse<string[]>(formatCsvLines(whole, delimiter), { delimiter, newline: "\r\n" });
        expect(theirs.data.slice(0, -1)).toEqual(whole);
        const ours = parseCsv(Papa.unparse(whole, { delimiter, newline: "\r\n" }));
        expect(ours.ok && ours.lines).toEqual(whole);
      }),
    );
  });

  it("makes a row of every line that is not empty, with its cells as typed", () => {
    const plain = fc.string({ unit: fc.constantFrom(...Array.from('a9 "=,;')) });
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, plain, plain), { minLength: 1, maxLength: 20 }), (lines) => {
        const reading = parseSheet(formatCsv([["CertNumber", "GradingCompany", "Notes"], ...lines]));
        const filled = lines
          .map((cells, at) => ({ line: at + 2, cells }))
          .filter(({ cells }) => cells.some((each) => each.trim() !== ""));
        expect(reading.ok ? reading.sheet.rows.map(({ line, cells }) => ({ line, cells })) : []).toEqual(filled);
      }),
    );
  });

  it("turns any text into rows or a message", () => {
    const odd = fc.string({
      unit: fc.constantFrom(...Array.from('",;\t|\r\n\0 98174651'), "CertNumber", "GradingCompany", "98174651"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.oneof(odd, fc.string()), (text) => {
        const reading = parseSheet(text);
        if (reading.ok) expect(reading.sheet.rows).not.toHaveLength(0);
        else expect(reading.message).toMatch(/^[A-Z].{20,}\.$/s);
      }),
      { numRuns: amount({ short: 100, long: 1_000 }) },
    );
  });
});

describe("decodeSheet", () => {
  const text = "CertNumber,Notes\n1,Pokémon";
  const utf16 = (text: string, isLittle: boolean): Uint8Array => {
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
    return new Uint8Array(view.buffer);
  };
  const windows = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

  it.each([
    ["UTF-8", new TextEncoder().encode(text)],
    ["UTF-8 with a mark", new TextEncoder().encode(`\ufeff${text}`)],
    ["UTF-16", utf16(`\ufeff${text}`, true)],
    ["UTF-16, the other way round", utf16(`\ufeff${text}`, false)],
    ["UTF-16 without a mark", utf16(text, true)],
    ["UTF-16 the other way round without a mark", utf16(text, false)],
    ["Windows-1252", windows(text)],
  ])("reads %s", (_name, bytes) => {
    expect(decodeSheet(bytes)).toBe(text);
  });

  it("reads a file of mixed UTF-8 and Windows-1252 line by line", () => {
    const bytes = [...new TextEncoder().encode("1,Pokémon €\n"), ...windows("2,Pokémon\r\n"), 0x33, 0x2c, 0x80];
    expect(decodeSheet(Uint8Array.from(bytes))).toBe("1,Pokémon €\n2,Pokémon\r\n3,€");
  });

  it("decodes any text from every encoding", () => {
    const text = anyText.map((text) => `CertNumber,Notes\r\n${text.toWellFormed()}`);
    fc.assert(
      fc.property(text, (text) => {
        expect(decodeSheet(new TextEncoder().encode(text))).toBe(text);
        for (const isLittle of [true, false]) expect(decodeSheet(utf16(`\ufeff${text}`, isLittle))).toBe(text);
      }),
    );
    const western = fc.array(fc.constantFrom("é ", "ü;", "ß\n", "abc", "ñ,", "£9")).map((parts) => parts.join(""));
    fc.assert(
      fc.property(western, (text) => {
        expect(decodeSheet(windows(text))).toBe(text);
      }),
    );
  });
});

describe("judgeRow", () => {
  const row = { certNumber: "98174651", gradingCompany: "PSA", price: "" };
  it.each([
    [{ ...row, certNumber: " " }, MISSING_FIELDS_MESSAGE],
    [{ ...row, gradingCompany: "" }, "Missing CertNumber or GradingCompany"],
    [{ ...row, gradingCompany: " BGS " }, "Unsupported grading company: BGS. Supported companies are: PSA, CGC, TAG"],
  ])("gives the specified message: %j", (typed, message) => {
    expect(judgeRow(typed)).toMatchObject({ kind: "invalid", outcome: "invalid_row", message });
  });

  it("reports a line that repeats the header", () => {
    for (const [certNumber, gradingCompany] of [
      ["CertNumber", "GradingCompany"],
      ["\ufeffCert #", "Grader"],
    ] as const)
      expect(judgeRow({ certNumber, gradingCompany, price: "Price" })).toEqual({
        kind: "invalid",
        outcome: "invalid_row",
        message: REPEATED_HEADER_MESSAGE,
        price: null,
        warnings: [],
        suggestion: null,
      });
  });

  it("reports lost digits if the company is missing, too", () => {
    expect(judgeRow({ certNumber: "1.45531E+08", gradingCompany: "", price: "" })).toMatchObject({
      message: MISSING_FIELDS_MESSAGE,
      warnings: [expect.stringContaining("digits are lost")],
    });
  });

  it("takes the company from the number only when allowed", () => {
    const other = { certNumber: "98174651", gradingCompany: "CGC", price: "" };
    expect(judgeRow(other)).toMatchObject({ kind: "invalid", outcome: "invalid_number", suggestion: "PSA" });
    expect(judgeRow(other, { acceptCompanies: true })).toMatchObject({
      kind: "ready",
      company: "PSA",
      warnings: ["Company PSA taken from the number; the sheet says CGC"],
    });
  });

  it("reports how a company was read, except for letter case", () => {
    const read = { ...row, sheetCard: { company: "psa 10" } };
    expect(judgeRow(read)).toMatchObject({ company: "PSA", warnings: ['Company PSA read from "psa 10"'] });
    expect(judgeRow({ ...row, gradingCompany: " Psa " })).toMatchObject({ company: "PSA", warnings: [] });
    expect(judgeRow({ ...read, certNumber: "4135876101" }, { acceptCompanies: true })).toMatchObject({
      company: "CGC",
      warnings: ["Company CGC taken from the number; the sheet says psa 10"],
    });
    expect(judgeRow({ ...read, gradingCompany: "CGC", certNumber: "4135876101" })).toMatchObject({
      warnings: ["Company CGC taken from the number; the sheet says psa 10"],
    });
  });

  it("keeps an unreadable price as a warning and still looks the card up", () => {
    expect(judgeRow({ ...row, price: "twelve" })).toMatchObject({
      kind: "ready",
      price: null,
      warnings: ['Price "twelve" is not an amount; it is kept as typed'],
    });
  });

  it("reports repairs", () => {
    expect(judgeRow({ ...row, certNumber: "'1020688" })).toMatchObject({
      certNumber: "01020688",
      warnings: ["Number repaired: apostrophe removed, leading zero restored (typed: '1020688)"],
    });
  });
});

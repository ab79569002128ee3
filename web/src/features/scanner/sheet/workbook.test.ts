import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { utils, write, type BookType, type WorkSheet } from "@e965/xlsx";
import { MAX_SHEET_COLUMNS } from "@slabdesk/contract/api/sheet-format.ts";
import { expect, test } from "vitest";
import { isWorkbook, readWorkbook, unpackedSize, type WorkbookReading } from "./workbook.ts";

/** Made by hand as Excel writes it, without the library that reads it: a preamble, and a table from line 2 on. */
const BOX = new Uint8Array(readFileSync(fileURLToPath(new URL("box.test-data.xlsx", import.meta.url))));

function bookOf(sheets: Record<string, WorkSheet>, bookType: BookType = "xlsx"): Uint8Array {
  const book = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  const bytes: unknown = write(book, { type: "array", bookType });
  if (!(bytes instanceof ArrayBuffer)) throw new Error("The library wrote something else");
  return new Uint8Array(bytes);
}

async function linesOf(bytes: Uint8Array): Promise<string[][]> {
  const reading = await readWorkbook("box.xlsx", bytes);
  if (!reading.ok) throw new Error(reading.message);
  return reading.tables[0]?.lines ?? [];
}

/** One column of cells with their number formats. */
function cellsOf(...cells: { v: string | number | boolean; z?: string }[]): Uint8Array {
  const sheet = utils.aoa_to_sheet(cells.map(({ v }) => [v]));
  for (const [row, { z }] of cells.entries())
    if (z !== undefined) sheet[`A${row + 1}`] = { ...sheet[`A${row + 1}`], z };
  return bookOf({ One: sheet });
}

test("a workbook as Excel writes it: all digits, padded numbers and dates as shown, values of formulas", async () => {
  const reading = await readWorkbook("box.xlsx", BOX);
  expect(reading).toEqual({
    ok: true,
    tables: [
      { name: "Read me", lines: [["Fill in the second sheet, one card a line."]] },
      {
        name: "Box 7",
        lines: [
          [],
          ["Cert #", "Grader", "Bought", "Paid", "Note"],
          ["01020688", "PSA", "11/21/26", "1250.5", "two words"],
          ["1401019289294", "CGC", "", "40"],
          [],
          ["01020470", "PSA", "", "20"],
          ["C1240631", "TAG", "", "#REF!", "TRUE"],
          ["1.23457E+16", "PSA"],
        ],
      },
    ],
  });
});

test.each([
  ["a number", { v: 1401019289294 }, "1401019289294"],
  ["the longest whole number", { v: 999999999999999 }, "999999999999999"],
  ["a number of lost digits", { v: 1e15 }, "1E+15"],
  ["a number shown short", { v: 145531008, z: "0.00E+00" }, "145531008"],
  ["a number with separators", { v: 98174651, z: "#,##0" }, "98174651"],
  ["a padded number", { v: 1020688, z: "00000000" }, "01020688"],
  ["a padded number with a word", { v: 1020688, z: '"PSA "00000000' }, "PSA 01020688"],
  ["an amount", { v: 0.1 + 0.2 }, "0.3"],
  ["an amount with its currency", { v: 1234.5, z: "$#,##0.00" }, "1234.5"],
  ["a date", { v: 46347, z: "yyyy-mm-dd" }, "2026-11-21"],
  ["text that looks like a number", { v: "01020688" }, "01020688"],
  ["text with spaces", { v: " 9817 4651 " }, " 9817 4651 "],
])("%s is read as the text to look up", async (_, cell, text) => {
  expect(await linesOf(cellsOf({ v: "head" }, cell))).toEqual([["head"], [text]]);
});

test.each<BookType>(["xlsx", "xlsm", "biff8"])("%s: hidden and empty sheets do not count", async (bookType) => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([["secret"]]), "Hidden");
  utils.book_append_sheet(book, utils.aoa_to_sheet([[""], [""]]), "Empty");
  utils.book_append_sheet(book, utils.aoa_to_sheet([["CertNumber"], ["98174651"]]), "Cards");
  book.Workbook = { Sheets: [{ Hidden: 1 }, {}, {}] };
  const bytes: unknown = write(book, { type: "array", bookType });
  if (!(bytes instanceof ArrayBuffer)) throw new Error("The library wrote something else");
  expect(await readWorkbook("box.xlsx", new Uint8Array(bytes))).toEqual({
    ok: true,
    tables: [{ name: "Cards", lines: [["CertNumber"], ["98174651"]] }],
  });
});

test("a shop's HTML table named .xls is read as text", async () => {
  const bytes = new TextEncoder().encode(
    "<html><table><tr><td>Cert</td></tr><tr><td>01020688</td></tr></table></html>",
  );
  expect(isWorkbook(bytes)).toBe(true);
  expect(await linesOf(bytes)).toEqual([["Cert"], ["01020688"]]);
});

test("other content is not a workbook", () => {
  expect(isWorkbook(new TextEncoder().encode("CertNumber\n98174651"))).toBe(false);
  expect(isWorkbook(new Uint8Array())).toBe(false);
});

const messageOf = (reading: WorkbookReading): string => (reading.ok ? "read" : reading.message);

test.each([
  ["cut off", BOX.slice(0, 1500)],
  ["with its middle lost", BOX.map((byte, at) => (at > 900 && at < 1700 ? 0x55 : byte))],
  ["a ZIP of something else", renamed("xl/workbook.xml", "xl/notebook.xml")],
])("a file that is %s has a message with advice", async (_, bytes) => {
  expect(messageOf(await readWorkbook("box.xlsx", bytes))).toMatch(
    /^“box\.xlsx” cannot be opened: .* save it as XLSX or CSV/,
  );
});

test("an empty workbook and one with a password have their messages", async () => {
  expect(messageOf(await readWorkbook("box.xlsx", bookOf({ One: utils.aoa_to_sheet([]) })))).toContain("is empty");
  const part = Buffer.from("EncryptedPackage", "utf16le");
  const locked = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1024), part, Buffer.alloc(96)]);
  expect(messageOf(await readWorkbook("box.xlsx", new Uint8Array(locked)))).toContain(
    "is protected by a password. Open it in Excel",
  );
});

test("a workbook that would unpack to gigabytes is not unpacked", async () => {
  const bomb = BOX.slice();
  const view = new DataView(bomb.buffer);
  const entry = bomb.findLastIndex((_, at) => at + 4 <= bomb.length && view.getUint32(at, true) === 0x02014b50);
  view.setUint32(entry + 24, 2_000_000_000, true);
  expect(unpackedSize(bomb)).toBeGreaterThan(2_000_000_000);
  expect(messageOf(await readWorkbook("box.xlsx", bomb))).toContain("is too large to open in a browser");
});

test("columns beyond the limit are left out, and a workbook of wide empty lines is refused", async () => {
  const wide = utils.aoa_to_sheet([["98174651", "PSA"]]);
  const lastColumn = utils.encode_col(MAX_SHEET_COLUMNS - 1);
  const next = utils.encode_col(MAX_SHEET_COLUMNS);
  Object.assign(wide, { [`${next}1`]: { t: "s", v: "dropped" }, "!ref": `A1:${next}1` });
  expect(await linesOf(bookOf({ One: wide }))).toEqual([["98174651", "PSA"]]);

  const rows = 41_000;
  const sparse: WorkSheet = { "!ref": `${lastColumn}1:${lastColumn}${rows}` };
  for (let row = 1; row <= rows; row += 1) sparse[`${lastColumn}${row}`] = { t: "n", v: 1 };
  expect(messageOf(await readWorkbook("box.xlsx", bookOf({ One: sparse })))).toContain("is too large to open");
});

/** The workbook with one part renamed. */
function renamed(from: string, to: string): Uint8Array {
  return new Uint8Array(Buffer.from(Buffer.from(BOX).toString("latin1").replaceAll(from, to), "latin1"));
}

import { describe, expect, it } from "vitest";
import { cardKindOf } from "./card-kind.rules.ts";
import { graderCell, gradeCell } from "./ebay.file.ts";
import { exportFileName } from "../file-name.rules.ts";
import { cutAtWord, gradeInTitle, imageUrls, titleOf } from "./listing-text.rules.ts";
import { namesBeside } from "../results.file.ts";
import { SAMPLE_ROWS } from "../testing/sample-session.ts";
import { columnName } from "../workbook-xml.file.ts";

const row = SAMPLE_ROWS.map((sample) => sample.row)[0] ?? expect.unreachable("there is a sample");

describe("eBay's grade", () => {
  it.each([
    ["GEM MT 10", "10 - (ID: 275020)"],
    ["10 PRISTINE", "10 - (ID: 275020)"],
    ["9.5", "9.5 - (ID: 275021)"],
    ["MINT 9 (OC)", "9 - (ID: 275022)"],
    ["NM-MT+ 8.5", "8.5 - (ID: 275023)"],
    ["GOOD 5", "5 - (ID: 2750210)"],
    ["FR 1.5", "1.5 - (ID: 2750217)"],
    ["PR 1", "1 - (ID: 2750218)"],
    ["Authentic", "Authentic - (ID: 2750219)"],
    ["AUTHENTIC ALTERED", "Authentic Altered - (ID: 2750220)"],
    ["Authentic - Trimmed", "Authentic - Trimmed - (ID: 2750221)"],
    ["AUTHENTIC COLORED", "Authentic - Coloured - (ID: 2750222)"],
    ["AUTHENTIC AUTO 10", ""],
    ["N/A", ""],
    [null, ""],
  ])("of %j is %j", (grade, cell) => {
    expect(gradeCell(grade)).toBe(cell);
  });

  it.each([
    ["PSA", "Professional Sports Authenticator (PSA) - (ID: 275010)"],
    ["CGC", "Certified Guaranty Company (CGC) - (ID: 275015)"],
    ["TAG", "Technical Authentication & Grading (TAG) - (ID: 2750115)"],
    ["BGS", ""],
  ])("is given by %s as %j", (company, cell) => {
    expect(graderCell(company)).toBe(cell);
  });
});

describe("the kind of a card", () => {
  it.each([
    ["BASEBALL CARDS", "TOPPS", "sport Baseball"],
    ["Hockey", null, "sport Hockey"],
    ["MULTI-SPORT CARDS", null, "sport Multi-Sport"],
    ["NON-SPORT CARDS", "MARVEL", "non-sport "],
    ["Pokémon", "VSTAR Universe", "game Pokémon"],
    ["POKEMON CARDS", null, "game Pokémon"],
    ["TCG Cards", "POKEMON JAPANESE BASE SET", "game Pokémon"],
    ["TCG CARDS", "SOME NEW GAME", "game "],
    ["Magic", "Alpha", "game Magic: The Gathering"],
    ["N/A", "Pokemon Go", "game Pokémon"],
    ["N/A", "Topps 50/50", "none"],
    [null, null, "none"],
  ])("of Sport/Game %j and set %j is %s", (sport, brand, kind) => {
    const found = cardKindOf({ sport, brand });
    expect(found === null ? "none" : `${found.kind} ${found.name}`).toBe(kind);
  });
});

describe("a listing's text", () => {
  it.each([
    ["NM-MT 8", "8"],
    ["GEM MINT 10", "10"],
    ["7 NEAR MINT", "7"],
    ["NM-MT+ 8.5", "8.5"],
    ["9.5", "9.5"],
    ["10 PRISTINE", "10 PRISTINE"],
    ["MINT 9 (OC)", "MINT 9 (OC)"],
    ["Authentic", "Authentic"],
    ["N/A", ""],
  ])("has the grade %j as %j", (grade, short) => {
    expect(gradeInTitle(grade)).toBe(short);
  });

  it.each([
    ["a short one", 80, "a short one"],
    ["one two three", 13, "one two three"],
    ["one two three", 12, "one two"],
    ["one two, three", 9, "one two"],
    ["unbreakable", 5, "unbre"],
    ["🃏🃏🃏", 4, "🃏🃏"],
  ])("cuts %j at %i to %j", (text, length, cut) => {
    expect(cutAtWord(text, length)).toBe(cut);
  });

  it.each([
    ["1960 TOPPS #72 TIGERS TEAM", "1960 TOPPS #72 TIGERS TEAM PSA 8"],
    ["=1+1 TOPPS", "1+1 TOPPS PSA 8"],
    ["N/A", "PSA 8"],
    ["word ".repeat(30), `${"word ".repeat(14)}word PSA 8`],
  ])("makes %j the title", (itemName, title) => {
    expect(titleOf({ ...row, itemName }, 80)).toBe(title);
    expect(title.length).toBeLessThanOrEqual(80);
  });

  it("says that a grade is an autograph's", () => {
    const autograph = { ...row, itemName: "BASEBALL", brand: "PSA/DNA", grade: "10" };
    expect(titleOf(autograph, 80)).toBe("BASEBALL PSA/DNA Autograph 10");
  });

  it.each([72, 76, 77, 90])("fits the title beside a grade of %i letters", (length) => {
    const title = titleOf({ ...row, grade: "G".repeat(length) }, 80);
    expect(title).toMatch(/PSA/);
    expect(title.length).toBeLessThanOrEqual(80);
  });

  it.each([
    ["https://images.example/a b|c.jpg", ["https://images.example/a%20b%7Cc.jpg"]],
    ["javascript:alert(1)", []],
    ["file:///etc/passwd", []],
    ["N/A", []],
  ])("has the image %j as %j", (imageUrl, urls) => {
    expect(imageUrls({ ...row, imageUrl, imageUrlBack: null })).toEqual(urls);
  });
});

describe("names", () => {
  const session = { session_name: "Ana's box", csv_filename: "dallas.show.CSV" };
  it.each([
    ["csv", "card-grading-results-2026-11-21.csv"],
    ["session-csv", "Ana s box - 2026-11-21.csv"],
    ["xlsx", "Ana s box - 2026-11-21.xlsx"],
    ["original", "dallas.show with results - 2026-11-21.csv"],
    ["ebay", "Ana s box eBay - 2026-11-21.csv"],
    ["shopify", "Ana s box Shopify - 2026-11-21.csv"],
    ["whatnot", "Ana s box Whatnot - 2026-11-21.csv"],
    ["images.zip", "Ana s box images - 2026-11-21.zip"],
    ["json", "Ana s box - 2026-11-21.json"],
  ] as const)("of a session's %s file: %s", (format, name) => {
    expect(exportFileName(format, session, new Date(2026, 10, 21))).toBe(name);
  });

  it("keep the extension of a workbook's own file, however long", () => {
    const csv_filename = `${"a".repeat(200)}.XLSX`;
    const name = exportFileName("original", { ...session, csv_filename }, new Date(2026, 10, 21));
    expect(name).toBe(`${"a".repeat(80)} with results - 2026-11-21.xlsx`);
  });

  it("of our columns differ from the sheet's and from each other", () => {
    expect(namesBeside(["grade", "Item-Name", "Year (Slabdesk)"], ["Grade", "Item Name", "Year", "Notes"])).toEqual([
      "Grade (Slabdesk)",
      "Item Name (Slabdesk)",
      "Year",
      "Notes",
    ]);
    expect(namesBeside(["Year", "Year (Slabdesk)"], ["Year"])).toEqual(["Year (Slabdesk 2)"]);
  });

  it.each([
    [0, "A"],
    [25, "Z"],
    [26, "AA"],
    [51, "AZ"],
    [52, "BA"],
    [701, "ZZ"],
    [702, "AAA"],
  ])("of column %i: %s", (index, name) => {
    expect(columnName(index)).toBe(name);
  });
});

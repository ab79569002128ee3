import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount } from "../../../scripts/test-form.ts";
import type { ResultRow } from "../api/results.ts";
import { combineSheets, originOf } from "./combine.ts";
import { formatCsv } from "./csv.ts";
import { EXPORT_COLUMNS } from "./export-columns.ts";
import { neutralizeLine } from "./safe-cells.ts";
import { judgeRow } from "./row.ts";
import { parseSheet, type Sheet } from "./sheet.ts";

function read(text: string): Sheet {
  const reading = parseSheet(text);
  if (!reading.ok) throw new Error(reading.message);
  return reading.sheet;
}

const certsOf = (text: string): string[] => read(text).rows.map(({ certNumber }) => certNumber);

describe("columns by name", () => {
  it("reads eBay's active listings, which spell the grader out", () => {
    const header =
      "Item number,Title,Custom label (SKU),Available quantity,Start price,Current price,Condition,CD:Professional Grader - (ID: 27501),CD:Grade - (ID: 27502),CDA:Certification Number - (ID: 27503),P:UPC";
    const grader = "Professional Sports Authenticator (PSA) - (ID: 275010)";
    const line =
      "256123456789,1999 Charizard PSA 9,A-17,1,455.00,455.00,Graded,Professional Sports Authenticator (PSA) - (ID: 275010),9 - (ID: 275022),98174651,0012345678905";
    const { rows } = read(`${header}\n${line}\n`);
    expect(rows).toMatchObject([
      {
        certNumber: "98174651",
        gradingCompany: "PSA",
        price: "455.00",
        sheetCard: { company: grader, name: "1999 Charizard PSA 9", grade: "9" },
      },
    ]);
    expect(rows.map((row) => judgeRow(row).warnings)).toEqual([[`Company PSA read from "${grader}"`]]);
  });

  it("reads CardsIQ's intake, and keeps an unsupported company", () => {
    const { rows } = read("grader,cert\nPSA,102176508\nBGS,12272762\n");
    expect(rows).toMatchObject([
      { certNumber: "102176508", gradingCompany: "PSA" },
      { certNumber: "12272762", gradingCompany: "BGS" },
    ]);
  });

  it("uses the specified column names exactly", () => {
    expect(read("CertNumber,GradingCompany\n98174651,PSA 10\n").rows).toMatchObject([{ gradingCompany: "PSA 10" }]);
    expect(read("Cert,Grader\n98174651,PSA 10\n").rows).toMatchObject([{ gradingCompany: "PSA" }]);
  });

  it("does not use a column of other companies", () => {
    expect(read("Cert #,Company\n98174651,Dallas Cards Inc.\n").rows).toMatchObject([{ gradingCompany: "" }]);
  });

  it("prefers the line with more names, and never looks below the first number", () => {
    expect(certsOf("Cert,12\nCert #,Grader,Price\n98174651,PSA,5\n")).toEqual(["98174651"]);
    expect(certsOf("Cert #\n98174651\nCert #,Grader,Price\n98174652,PSA,5\n")).toEqual([
      "98174651",
      "Cert #",
      "98174652",
    ]);
  });
});

describe("columns by content", () => {
  it.each([
    ["bare numbers", "98174651\n1401019289-294\nC1240631\n", ["98174651", "1401019289-294", "C1240631"]],
    ["a damaged number among few", "98174651\n1.45531E+08\n#REF!\n", ["98174651", "1.45531E+08", "#REF!"]],
    ["a list whose first line is damaged", "#REF!\n98174651\n", ["#REF!", "98174651"]],
    ["a header in another language", "鑑定番号;会社\n98174651;PSA\n", ["98174651"]],
    ["a number beside its link", "98174651,https://www.psacard.com/cert/98174651\n", ["98174651"]],
    ["bar codes", "98174651,4006381333931\n98174652,5901234123457\n", ["98174651", "98174652"]],
    ["telephone numbers", "Serial,Phone\n98174651,4155550123\n98174652,4155550124\n", ["98174651", "98174652"]],
    ["orders", "Order,Serial\n20012345,98174651\n20012346,98174652\n", ["98174651", "98174652"]],
    ["dates", "20240131,98174651\n31012024,98174652\n01312024,98174653\n", ["98174651", "98174652", "98174653"]],
    ["amounts", "98174651,1234.50\n98174652,80\n", ["98174651", "98174652"]],
  ])("finds the numbers in %s", (_what, text, certs) => {
    expect(certsOf(text)).toEqual(certs);
  });

  it("asks if two columns fit or none does, with what it found", () => {
    expect(parseSheet("One,Two,Grade\n98174651,88174651,9\n98174652,88174652,10\n")).toMatchObject({
      ok: false,
      message: expect.stringContaining("more than one may contain cert numbers (One, Two)"),
      question: {
        headerLine: 0,
        header: ["One", "Two", "Grade"],
        columns: { grade: 2 },
        preview: [
          ["98174651", "88174651", "9"],
          ["98174652", "88174652", "10"],
        ],
      },
    });
    expect(parseSheet("Phone,Name\n4155550123,x\n")).toMatchObject({
      ok: false,
      question: { header: ["Phone", "Name"] },
    });
  });

  it("accepts an answer to its question", () => {
    const mapping = { headerLine: 0, columns: { certNumber: 1 }, company: "PSA" };
    const reading = parseSheet("One,Two\n98174651,88174651\n", mapping);
    expect(reading.ok && reading.sheet.rows).toMatchObject([{ certNumber: "88174651", gradingCompany: "PSA" }]);
  });
});

const emptyResult: ResultRow = {
  id: "1",
  sessionId: "1",
  line: 2,
  status: "completed",
  outcome: "found",
  waitingUntil: null,
  source: "api",
  entry: null,
  certNumber: "",
  gradingCompany: "",
  itemName: null,
  player: null,
  year: null,
  language: null,
  brand: null,
  cardNumber: null,
  grade: null,
  sport: null,
  variety: null,
  graderNotes: null,
  tagScore: null,
  population: null,
  populationHigher: null,
  populationAsOf: null,
  imageUrl: null,
  imageUrlBack: null,
  certUrl: null,
  price: null,
  priceText: "",
  customerPrice: "0.00",
  ownOffer: null,
  inventoryName: null,
  notes: "",
  sheetNotes: "",
  error: null,
  pricing: null,
  cardsiq: null,
  pricingThen: null,
  cardsiqThen: null,
  prices: { cardladder: { state: null, message: "" }, cardsiq: { state: null, message: "" } },
  warnings: [],
  mismatches: [],
  imageFlags: [],
  reviewedAt: null,
  processedAt: null,
};

describe("an imported results file", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(...Array.from("'=+-@\t\r\n\",; 19a")) }),
  );
  const result = fc
    .record({
      certNumber: fc.oneof(fc.stringMatching(/^\d{8}$/), text),
      gradingCompany: fc.constantFrom("PSA", "CGC", "BGS", ""),
      itemName: text,
      notes: text,
      price: fc.option(fc.integer({ min: -500, max: 1_000_000 }).map((cents) => cents / 100)),
      priceText: text,
    })
    .map((fields): ResultRow => ({ ...emptyResult, ...fields }));

  it("keeps number, company, price, and notes", () => {
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 8 }), (results) => {
        const lines = results.map((row) => neutralizeLine(EXPORT_COLUMNS.map(({ cell }) => cell(row))));
        const { rows } = read(formatCsv([EXPORT_COLUMNS.map(({ header }) => header), ...lines]));
        expect(rows.map(({ certNumber, gradingCompany, notes }) => [certNumber, gradingCompany, notes])).toEqual(
          results.map(({ certNumber, gradingCompany, notes }) => [certNumber, gradingCompany, notes]),
        );
        for (const [at, row] of rows.entries()) {
          const { price = null, priceText = "" } = results[at] ?? {};
          if (price === null) expect(row.price).toBe(priceText);
          else expect(judgeRow(row).price).toBe(price);
        }
      }),
      { numRuns: amount({ short: 30, long: 300 }) },
    );
  });
});

describe("combineSheets", () => {
  const one = { fileName: "a.csv", sheet: read("CertNumber,Box\n98174651,A\n\n98174652,B,more\n") };
  const two = { fileName: "b.csv", sheet: read("Box;Grader;Cert #\nC;PSA;98174653\n") };

  it("leaves a single sheet unchanged", () => {
    expect(combineSheets([one])).toBe(one.sheet);
  });

  it("merges columns of the same name and all number columns, behind file and line", () => {
    const { header, rows } = combineSheets([one, two]);
    expect(header).toEqual(["File", "Line", "CertNumber", "Box", "", "Grader"]);
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, "a.csv", "2", "98174651", "A"],
      [3, "a.csv", "4", "98174652", "B", "more"],
      [4, "b.csv", "2", "98174653", "C", "", "PSA"],
    ]);
    expect(rows.map((row) => originOf(header, row))).toEqual(["a.csv, line 2", "a.csv, line 4", "b.csv, line 2"]);
    expect(originOf(two.sheet.header, { line: 7, cells: [] })).toBe("line 7");
  });

  it("can be imported again with every number", () => {
    const { header, rows } = combineSheets([one, two]);
    expect(certsOf(formatCsv([header, ...rows.map(({ cells }) => cells)]))).toEqual([
      "98174651",
      "98174652",
      "98174653",
    ]);
  });

  it("keeps columns apart whose names differ only in punctuation", () => {
    const three = { fileName: "c.csv", sheet: read("Cert #,#\n98174651,1\n") };
    const four = { fileName: "d.csv", sheet: read("Cert #,$\n98174652,5\n") };
    expect(combineSheets([three, four]).header).toEqual(["File", "Line", "Cert #", "#", "$"]);
  });
});

describe("columns with the numbers of some rows only", () => {
  it("asks if each company has its own column", () => {
    expect(parseSheet("PSA Cert,CGC Cert,Price\n98174651,,1\n,4135876101,2\n")).toMatchObject({
      ok: false,
      message: expect.stringContaining("more than one may contain cert numbers (PSA Cert, CGC Cert)"),
      question: { header: ["PSA Cert", "CGC Cert", "Price"] },
    });
    expect(certsOf("PSA Cert,Price\n98174651,1\n")).toEqual(["98174651"]);
  });

  it("takes the company from a column of grades where it names one", () => {
    const rows = read(
      "Cert,Grade\n98174651,PSA 9\n4135876101,CGC 9.5\n98174652,8\n98174653,GEM MT 10\n98174654,BGS 9\n",
    );
    expect(rows.rows.map(({ gradingCompany }) => gradingCompany)).toEqual(["PSA", "CGC", "", "", "BGS"]);
  });
});

describe("our own listing files", () => {
  it("for Shopify are imported without the image-only lines", () => {
    const header =
      "Title,URL handle,Product image URL,Cert number (product.metafields.custom.cert_number),Grader (product.metafields.custom.grader)";
    const lines = [
      "A card,psa-98174651,https://a.example/1.jpg,98174651,PSA",
      ",psa-98174651,https://a.example/2.jpg,,",
    ];
    expect(read([header, ...lines].join("\n")).rows).toMatchObject([
      { line: 2, certNumber: "98174651", gradingCompany: "PSA" },
    ]);
  });

  it("for Whatnot are imported by SKU, other files are not", () => {
    const header = "Category,Sub Category,Title,Price,Shipping Profile,Hazmat,SKU";
    const line = (sku: string): string => `${header}\nTrading Card Games,Pokémon Cards,A card,14,,Not Hazmat,${sku}\n`;
    expect(read(line("TAG-C1240631")).rows).toMatchObject([{ certNumber: "TAG-C1240631", price: "14" }]);
    expect(parseSheet(line("POK-CHAR-001")).ok).toBe(false);
  });
});

it.each([
  ["Cert #,What I paid,Market value\n98174651,120,300", 1],
  ["Cert #,Grader,Amount\n98174651,PSA,$12.50", 2],
  ["98174651,12.50\n98174652,9.99", 1],
  ["Cert #,Market value\n98174651,$300", undefined],
  ["Cert #,Purchase date\n98174651,20240131", undefined],
  ["Cert #,Shipping cost\n98174651,4", undefined],
  ["Cert #,Left,Right\n98174651,$4,$5", undefined],
])("the cost in %j is in column %j", (text, price) => {
  const reading = parseSheet(text);
  expect(reading.ok && reading.mapping.columns.price).toBe(price);
});

it.each([
  ["\u2030PNG\r\n\u001a\n98174651", "This is an image"],
  [`\u0001${"\0\u0002".repeat(20)}`, "This is a binary file, not a sheet"],
])("a file that is no sheet is told what it is: %j", (text, message) => {
  const reading = parseSheet(text);
  expect(reading.ok ? "" : reading.message).toContain(message);
});

it("a row whose company was taken from its number says so, unless the user's own cell says it", () => {
  const row = { line: 2, cells: ["98174651"], certNumber: "98174651", gradingCompany: "PSA", price: "", notes: "" };
  const warningsOf = (company: string | undefined) => judgeRow({ ...row, sheetCard: { company } }).warnings;
  expect(warningsOf("")).toEqual(["Company PSA taken from the number; the sheet names none"]);
  expect(warningsOf("CGC")).toEqual(["Company PSA taken from the number; the sheet says CGC"]);
  expect(warningsOf("PSA 10")).toEqual(['Company PSA read from "PSA 10"']);
  expect(warningsOf("BGS")).toEqual([]);
  expect(warningsOf(undefined)).toEqual([]);
});

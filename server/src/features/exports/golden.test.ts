import { readFile, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Readable } from "node:stream";
import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { DEFAULT_LISTING_PRICE } from "@slabdesk/contract/market/listing-price.ts";
import { offerOf } from "@slabdesk/contract/market/buy-offer.ts";
import { EXPORT_COLUMNS, SESSION_EXPORT_COLUMNS } from "@slabdesk/contract/sheet/export-columns.ts";
import { SPREADSHEET, type CsvForm } from "../../csv-stream.ts";
import { ebayTable } from "./listings/ebay.file.ts";
import { shopifyTable } from "./listings/shopify.file.ts";
import { whatnotTable } from "./listings/whatnot.file.ts";
import { originalTable, type OfferOfRow, workbookTable } from "./results.file.ts";
import { csvFile, foundOnce, jsonFile, tableOf, type Table } from "./table.file.ts";
import { SAMPLE_HEADER, SAMPLE_ROWS, SAMPLE_SESSION, samplePages } from "./testing/sample-session.ts";
import { workbookFile } from "./workbook.file.ts";

/*
 * Compares each format with its golden file, byte by byte, and reads it with another library. After an intended
 * change, `UPDATE_GOLDEN=1 npx vitest run --project server golden` writes the files; review the difference.
 */

const golden = (name: string): string => fileURLToPath(new URL(`./golden/${name}`, import.meta.url));

async function matchGolden(name: string, body: Readable): Promise<Buffer> {
  const bytes = await buffer(body);
  if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(golden(name), bytes);
  expect(bytes.toString()).toBe((await readFile(golden(name))).toString());
  return bytes;
}

const OFFER: OfferOfRow = (row) => offerOf(SAMPLE_SESSION.offerRule, row);
const SHOP: CsvForm = { delimiter: ",", hasMark: false };

/** Lines of cells as csv-parse reads them. */
function readCsv(bytes: Buffer, delimiter = ",", strict = true): string[][] {
  return parse(bytes, { bom: true, delimiter, relax_column_count: !strict });
}

const valuesOf = (lines: string[][], name: string): (string | undefined)[] => {
  const at = lines[0]?.indexOf(name) ?? -1;
  return lines.slice(1).map((cells) => cells[at]);
};

describe("spreadsheets", () => {
  test.each<[string, Table, number]>([
    ["results.csv", tableOf(EXPORT_COLUMNS), 31],
    ["session.csv", tableOf(SESSION_EXPORT_COLUMNS), 29],
  ])("%s has every row, in order, safe to open", async (name, table, columns) => {
    const lines = readCsv(await matchGolden(name, csvFile(table, samplePages(), SPREADSHEET)));
    expect(lines.map((cells) => cells.length)).toEqual(Array.from({ length: 6 }, () => columns));
    expect(valuesOf(lines, "Cert Number")).toEqual(SAMPLE_ROWS.map(({ row }) => row.certNumber));
    expect(valuesOf(lines, "Notes").slice(0, 2)).toEqual([`'${SAMPLE_ROWS[0]?.row.notes}`, SAMPLE_ROWS[1]?.row.notes]);
    expect(valuesOf(lines, "Price")).toEqual(["1234.5", "45", "1234.5", "", "twelve"]);
  });

  test("the own file keeps its separator and its cells as typed, followed by our columns", async () => {
    const table = originalTable(SAMPLE_HEADER, OFFER);
    const file = csvFile(table, samplePages(), { delimiter: ";", hasMark: true });
    const lines = readCsv(await matchGolden("original.csv", file), ";", false);
    expect(lines.map((cells) => cells.slice(0, 6))).toEqual([
      ["Cert #", "Company", "My GRADE", "grade", "Paid", "'=SUM(A1)"],
      ["1020688", "PSA", "-", "9", "1,234.50", "'=1+1"],
      ["1401019289294", "CGC", "--", "", "45", "''=quoted"],
      ["01020688", "psa", "", "", "", ""],
      ["C1240631", "TAG", "", "", "", ""],
      ["1.45531E+08", "PSA", "'\t'=2", "", "twelve", ""],
    ]);
    expect(valuesOf(lines, "Grade (Slabdesk)").slice(0, 2)).toEqual(["NM-MT 8", "10 PRISTINE"]);
    expect(valuesOf(lines, "Repaired Cert Number")).toEqual(["01020688", "", "", "", ""]);
    expect(valuesOf(lines, "Repaired Company")).toEqual(["", "", "PSA", "", ""]);
    expect(valuesOf(lines, "Outcome").at(-1)).toBe("Invalid number: the digits are lost");
    expect(valuesOf(lines, "Population")).toEqual(["123", "0", "123", "", ""]);
    expect(valuesOf(lines, "Population As Of").slice(0, 2)).toEqual(["2026-11-21", "2026-11-21"]);
    expect(valuesOf(lines, "Differences")[0]).toBe("your sheet: PSA 9, registry: NM-MT 8");
    expect(valuesOf(lines, "Buy Offer").slice(0, 2)).toEqual(["", "34"]);
    expect(valuesOf(lines, "CardLadder Estimate Then")[1]).toBe("55");
    expect(valuesOf(lines, "Price Remarks").slice(1)).toEqual([
      "Sources disagree by 40%",
      "",
      "No CardLadder pricing data found for this card",
      "",
    ]);
    expect(lines.at(-1)?.at(-1)).toBe("beyond the header");
  });
});

test("a workbook, as another program reads it", async () => {
  const body = workbookFile(workbookTable(OFFER), samplePages(), {
    rows: SAMPLE_ROWS.length,
    thumbnailOf: null,
    onMissing: () => expect.unreachable("no images were asked for"),
    now: new Date("2026-11-21T08:00:00Z"),
  });
  const sheet = read(await buffer(body)).Sheets["Results"] ?? expect.unreachable("there is a sheet");
  const lines = readCsv(await matchGolden("workbook.csv", Readable.from([utils.sheet_to_csv(sheet)])));
  expect(lines.map((cells) => cells.length)).toEqual([43, 43, 43, 43, 43, 43]);
});

test("JSON: the session and every row, as the API gives them", async () => {
  const text = await buffer(jsonFile(SAMPLE_SESSION, samplePages()));
  expect(JSON.parse(text.toString())).toEqual({ session: SAMPLE_SESSION, results: SAMPLE_ROWS.map(({ row }) => row) });
  const none = await buffer(jsonFile(SAMPLE_SESSION, (async function* () {})()));
  expect(JSON.parse(none.toString())).toEqual({ session: SAMPLE_SESSION, results: [] });
});

describe("shops", () => {
  test("eBay: each found card once, under the template's header", async () => {
    const bytes = await matchGolden(
      "ebay.csv",
      csvFile(ebayTable(DEFAULT_LISTING_PRICE), foundOnce(samplePages()), SHOP),
    );
    expect(bytes.subarray(0, 4).toString()).toBe("Info");
    const [info, ...lines] = readCsv(bytes, ",", false);
    expect(info).toEqual(["Info", "Version=1.0.0", "Template=fx_category_template_EBAY_US"]);
    expect(new Set(lines.map((cells) => cells.length))).toEqual(new Set([lines[0]?.length]));
    expect(valuesOf(lines, "*Category")).toEqual(["261328", "183454", ""]);
    expect(valuesOf(lines, "CD:Grade - (ID: 27502)")).toEqual(["8 - (ID: 275024)", "10 - (ID: 275020)", ""]);
    expect(valuesOf(lines, "CDA:Certification Number - (ID: 27503)")).toEqual([
      "01020688",
      "1401019289294",
      "C1240631",
    ]);
    expect(valuesOf(lines, "*StartPrice")).toEqual(["1357.95", "49.50", ""]);
    for (const title of valuesOf(lines, "*Title")) expect(title?.length).toBeLessThanOrEqual(80);
  });

  test("Shopify: drafts with unique handles, the second image on a second line", async () => {
    const lines = readCsv(
      await matchGolden("shopify.csv", csvFile(shopifyTable(DEFAULT_LISTING_PRICE), foundOnce(samplePages()), SHOP)),
    );
    expect(valuesOf(lines, "URL handle")).toEqual([
      "psa-01020688",
      "psa-01020688",
      "cgc-1401019289294",
      "tag-c1240631",
    ]);
    expect(valuesOf(lines, "Status")).toEqual(["Draft", "", "Draft", "Draft"]);
    expect(valuesOf(lines, "Price")).toEqual(["1357.95", "", "49.50", ""]);
    expect(valuesOf(lines, "Cost per item")).toEqual(["1234.50", "", "45.00", ""]);
    expect(valuesOf(lines, "Cert number (product.metafields.custom.cert_number)")[0]).toBe("01020688");
  });

  test("Whatnot: its 21 columns, whole dollars", async () => {
    const lines = readCsv(
      await matchGolden("whatnot.csv", csvFile(whatnotTable(DEFAULT_LISTING_PRICE), foundOnce(samplePages()), SHOP)),
    );
    expect(lines[0]).toHaveLength(21);
    expect(valuesOf(lines, "Price")).toEqual(["1358", "50", ""]);
    expect(valuesOf(lines, "Sub Category")).toEqual(["Baseball Singles", "Pokémon Cards", ""]);
  });

  test.each([
    ["estimate", 90, ["", "52.92", ""]],
    ["median", 110, ["", "63.25", ""]],
    ["customerPrice", 90, ["1357.95", "49.50", ""]],
  ] as const)("list at %s, %i %%; a card without the amount has no price", async (listAt, listPercent, prices) => {
    const file = csvFile(ebayTable({ listAt, listPercent }), foundOnce(samplePages()), SHOP);
    expect(valuesOf(readCsv(await buffer(file), ",", false).slice(1), "*StartPrice")).toEqual(prices);
  });
});

import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { read, utils, type CellObject, type WorkSheet } from "@e965/xlsx";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../http/http-error.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";
import { originalTable, workbookTable } from "./results.file.ts";
import type { Table } from "./table.file.ts";
import { SAMPLE_HEADER, SAMPLE_ROWS, samplePages } from "./testing/sample-session.ts";
import { readZip } from "./testing/read-zip.ts";
import { workbookFile, type WorkbookOptions } from "./workbook.file.ts";

const OPTIONS: WorkbookOptions = {
  rows: SAMPLE_ROWS.length,
  thumbnailOf: null,
  onMissing: () => expect.unreachable("no images were asked for"),
  now: new Date("2026-11-21T08:00:00Z"),
};

const write = (table: Table, options: Partial<WorkbookOptions> = {}): Promise<Buffer> =>
  buffer(workbookFile(table, samplePages(), { ...OPTIONS, ...options }));

/** This many rows, each with its own image. */
async function* pagesOf(rows: number): AsyncGenerator<StreamedRow[]> {
  for (let at = 0; at < rows; at += 1)
    yield SAMPLE_ROWS.slice(0, 1).map(({ row, cells }) => ({
      row: { ...row, id: String(at), imageUrl: `https://images.example/${at}.jpg` },
      cells,
    }));
}

/** Runs the garbage collector, so that only retained memory remains. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}

function readSheet(bytes: Buffer): WorkSheet {
  const book = read(bytes, { cellStyles: true, cellNF: true, cellFormula: true });
  const sheet = book.Sheets["Results"];
  if (!sheet) throw new Error("The workbook has no sheet named Results");
  return sheet;
}

const texts = (sheet: WorkSheet): string[][] => utils.sheet_to_json(sheet, { header: 1, raw: false, defval: "" });

function cellOf(sheet: WorkSheet, column: string, line: number): CellObject | undefined {
  const at = texts(sheet)[0]?.indexOf(column) ?? -1;
  const cell: CellObject | undefined = sheet[utils.encode_cell({ r: line - 1, c: at })];
  return cell;
}

const formulasIn = (sheet: WorkSheet): unknown[] =>
  utils.sheet_to_formulae(sheet).filter((text) => !/^[A-Z]+\d+='/.test(text) && !/^[A-Z]+\d+=-?[\d.]+$/.test(text));

const POPULATION = ["Population", "Population Higher", "Population As Of"];
const PRICES = [
  "Prices Fetched",
  "CardLadder Estimate Then",
  "CardsIQ Estimate Then",
  "Prices Then Fetched",
  "Price Remarks",
];

describe("a workbook", () => {
  test("has the 31 columns and more, numbers as text, amounts as numbers, URLs as links", async () => {
    const sheet = readSheet(await write(workbookTable(null)));
    const lines = texts(sheet);
    expect(lines[0]?.slice(31)).toEqual(["Line", ...POPULATION, "Changes", "Differences", ...PRICES]);
    expect(lines.map((cells) => cells.length)).toEqual([42, 42, 42, 42, 42, 42]);
    expect(cellOf(sheet, "Cert Number", 2)).toMatchObject({ t: "s", v: "01020688" });
    expect(cellOf(sheet, "Cert Number", 6)).toMatchObject({ t: "s", v: "1.45531E+08" });
    expect(cellOf(sheet, "Year", 2)).toMatchObject({ t: "s", v: "1960" });
    expect(cellOf(sheet, "Price", 2)).toMatchObject({ t: "n", v: 1234.5, w: "1,234.50" });
    expect(cellOf(sheet, "Price", 6)).toMatchObject({ t: "s", v: "twelve" });
    expect(cellOf(sheet, "Population", 2)).toMatchObject({ t: "n", v: 123 });
    expect(cellOf(sheet, "Population", 3)).toMatchObject({ t: "n", v: 0 });
    expect(cellOf(sheet, "Line", 6)).toMatchObject({ t: "n", v: 6 });
    expect(cellOf(sheet, "Cert URL", 2)?.l?.Target).toBe("https://www.psacard.com/cert/01020688/psa");
    expect(cellOf(sheet, "Back Image URL", 3)).toMatchObject({ t: "s", v: "N/A" });
    expect(cellOf(sheet, "Back Image URL", 3)?.l).toBeUndefined();
    expect(cellOf(sheet, "Notes", 3)?.v).toBe(SAMPLE_ROWS[1]?.row.notes);
    expect(cellOf(sheet, "Differences", 2)?.v).toBe("your sheet: PSA 9, registry: NM-MT 8");
    expect(sheet["!autofilter"]).toEqual({ ref: "A1:AP6" });
  });

  test("has no formula, and its header is frozen", async () => {
    const bytes = await write(workbookTable(null));
    const sheet = readSheet(bytes);
    expect(cellOf(sheet, "Notes", 2)).toMatchObject({ t: "s", v: '=HYPERLINK("http://evil.example")' });
    expect(formulasIn(sheet)).toEqual([]);
    const xml = (await readZip(bytes)).get("xl/worksheets/sheet1.xml")?.toString() ?? "";
    expect(xml).not.toMatch(/<f[ >]/);
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  });

  test("of the user's own sheet has its cells as typed", async () => {
    const lines = texts(readSheet(await write(originalTable(SAMPLE_HEADER, null))));
    expect(lines.slice(0, 3).map((cells) => cells.slice(0, 6))).toEqual([
      SAMPLE_HEADER,
      ["1020688", "PSA", "-", "9", "1,234.50", "=1+1"],
      ["1401019289294", "CGC", "--", "", "45", "'=quoted"],
    ]);
    expect(lines.at(-1)?.[2]).toBe("\t=2");
    expect(lines.at(-1)?.at(-1)).toBe("beyond the header");
  });

  test("links only the columns whose rows all fit the limit", async () => {
    const sheet = readSheet(await write(workbookTable(null), { rows: 40_000 }));
    expect(cellOf(sheet, "Cert URL", 2)?.l?.Target).toBe("https://www.psacard.com/cert/01020688/psa");
    expect(cellOf(sheet, "Front Image URL", 2)).toMatchObject({ v: "https://images.example/cert/1/front.jpg" });
    expect(cellOf(sheet, "Front Image URL", 2)?.l).toBeUndefined();
  });

  test("keeps a URL as text if it is too long for a link or not a web address", async () => {
    const certUrl = `https://images.example/${"x".repeat(2_100)}`;
    async function* pages() {
      yield SAMPLE_ROWS.slice(0, 1).map(({ row, cells }) => ({
        row: { ...row, certUrl, imageUrl: "javascript:1" },
        cells,
      }));
    }
    const sheet = readSheet(await buffer(workbookFile(workbookTable(null), pages(), OPTIONS)));
    expect(cellOf(sheet, "Cert URL", 2)).toMatchObject({ t: "s", v: certUrl });
    expect(cellOf(sheet, "Front Image URL", 2)).toMatchObject({ t: "s", v: "javascript:1" });
    expect([cellOf(sheet, "Cert URL", 2)?.l, cellOf(sheet, "Front Image URL", 2)?.l]).toEqual([undefined, undefined]);
  });

  test("keeps characters that XML forbids, and text that looks like their escapes", async () => {
    const typed = ["a\u0000b\u001bc", "line\rend", "_x000D_", 'a & <b> "c"', " spaces ", "ポケモン 🃏"];
    async function* pages() {
      yield SAMPLE_ROWS.slice(0, 1).map(({ row }) => ({ row, cells: typed }));
    }
    const bytes = await buffer(workbookFile(originalTable(["a", "b", "c", "d", "e", "f"], null), pages(), OPTIONS));
    expect(texts(readSheet(bytes))[1]?.slice(0, 6)).toEqual(typed);
  });

  test("cuts text that is longer than a cell, without splitting an emoji", async () => {
    async function* pages() {
      yield SAMPLE_ROWS.slice(0, 1).map(({ row }) => ({ row: { ...row, notes: "🃏".repeat(20_000) }, cells: [] }));
    }
    const sheet = readSheet(await buffer(workbookFile(workbookTable(null), pages(), OPTIONS)));
    expect(cellOf(sheet, "Notes", 2)?.v).toBe("🃏".repeat(16_383));
  });

  test("serves others between two long rows", async () => {
    let turn = 0;
    const count = (): void => {
      turn += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const turnsOfRows: number[] = [];
    const linesOf: Table["linesOf"] = () => {
      turnsOfRows.push(turn);
      return [Array.from({ length: 10 }, () => "\u0001".repeat(32_000))];
    };
    const columns = Array.from({ length: 10 }, (_, n) => ({ header: `Column ${n}`, kind: "own" as const }));
    await write({ columns, linesOf });
    clearImmediate(immediate);
    expect(turnsOfRows).toHaveLength(SAMPLE_ROWS.length);
    expect(new Set(turnsOfRows).size).toBe(SAMPLE_ROWS.length);
  });

  test("shows front images, or a link if there is none", async () => {
    const image = await sharp({ create: { width: 192, height: 320, channels: 3, background: "red" } })
      .jpeg()
      .toBuffer();
    const missing: object[] = [];
    const bytes = await write(workbookTable(null), {
      thumbnailOf: async (rowId) => {
        if (rowId === "2") throw new HttpError(502, "unavailable", "Its host has no such image");
        return { bytes: image, width: 192, height: 320 };
      },
      onMissing: (one) => void missing.push(one),
    });
    const sheet = readSheet(bytes);
    expect(texts(sheet)[0]?.slice(0, 2)).toEqual(["Image", "Item Name"]);
    expect(cellOf(sheet, "Image", 3)?.l?.Target).toBe("https://images.example/cert/2/front.webp");
    const parts = await readZip(bytes);
    expect([...parts.keys()].filter((name) => name.startsWith("xl/media/"))).toEqual([
      "xl/media/image1.jpeg",
      "xl/media/image2.jpeg",
    ]);
    expect(parts.get("xl/media/image1.jpeg")).toEqual(image);
    const drawing = parts.get("xl/drawings/drawing1.xml")?.toString() ?? "";
    expect([...drawing.matchAll(/<xdr:row>(\d+)/g)].map((match) => match[1])).toEqual(["1", "3"]);
    expect(missing).toEqual([{ count: 1, reasons: ["Its host has no such image"] }]);
  });

  test("fetches images only while it is read, and keeps none that is written", async () => {
    const ROWS = 200;
    const SIZE = 20_000;
    const held: WeakRef<Buffer>[] = [];
    let taken = 0;
    const body = workbookFile(workbookTable(null), pagesOf(ROWS), {
      ...OPTIONS,
      rows: ROWS,
      thumbnailOf: async () => {
        // A separate buffer, because small ones share their memory.
        const bytes = Buffer.alloc(SIZE, held.length);
        held.push(new WeakRef(bytes));
        return { bytes, width: 192, height: 320 };
      },
    });
    let lookAt = ROWS / 2;
    for await (const bytes of body) {
      taken += bytes.length;
      // An eager reader would start now.
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      expect(held.length * SIZE).toBeLessThanOrEqual(taken + 12 * SIZE);
      if (held.length < lookAt) continue;
      lookAt += ROWS / 2;
      collectGarbage();
      expect(held.filter((image) => image.deref() !== undefined).length).toBeLessThan(20);
    }
    expect([held.length, lookAt]).toEqual([ROWS, ROWS * 1.5]);
  });

  test("breaks off if its rows do", async () => {
    async function* pages() {
      yield [...SAMPLE_ROWS];
      throw new Error("The database went away");
    }
    await expect(buffer(workbookFile(workbookTable(null), pages(), OPTIONS))).rejects.toThrow("The database went away");
  });
});

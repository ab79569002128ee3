import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { decodeSheet } from "@slabdesk/contract/sheet/csv.ts";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import { judgeRow, type RowVerdict, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import { newSheetRowSchema } from "@slabdesk/contract/api/sessions.ts";
import { SHEETS } from "./expected.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const TEXTS = SHEETS.filter(({ file }) => !file.endsWith(".xlsx"));

function readRows(file: string): SheetRow[] {
  const reading = parseSheet(decodeSheet(readFileSync(FOLDER + file)));
  if (!reading.ok) throw new Error(reading.message);
  return reading.sheet.rows;
}

const judge = (row: SheetRow): RowVerdict => judgeRow(row, { acceptCompanies: true });

function repairMessageOf({ warnings }: RowVerdict): string | undefined {
  return warnings.map((message) => /^Number repaired: (.*) \(typed: /s.exec(message)?.[1]).find((message) => message);
}

test("every sheet in the folder has an expectation", () => {
  const files = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
  expect(files.toSorted()).toEqual(SHEETS.map(({ file }) => file));
  expect(files).toHaveLength(12);
});

test.each(TEXTS)("$file is read without a question: $damage", ({ file, certs, damaged, repaired, suggested }) => {
  const rows = readRows(file).map((row) => ({ line: row.line, verdict: judge(row) }));
  const found: Record<number, string> = {};
  const refused: Record<number, string> = {};
  for (const { line, verdict } of rows) {
    if (verdict.kind === "ready") found[line] = `${verdict.company} ${verdict.certNumber}`;
    else refused[line] = verdict.message;
  }
  expect(found).toEqual(certs);
  expect(refused).toEqual(damaged);
  expect(
    Object.fromEntries(
      rows.flatMap(({ line, verdict }) => (repairMessageOf(verdict) ? [[line, repairMessageOf(verdict)]] : [])),
    ),
  ).toEqual(repaired);
  expect(rows.filter(({ verdict }) => verdict.suggestion !== null).map(({ line }) => line)).toEqual(suggested);
});

test.each(TEXTS)("$file can be posted as it was read", ({ file }) => {
  for (const row of readRows(file)) expect(newSheetRowSchema.parse(row)).toEqual(row);
});

test("what the company cell or the sheet says about a card is included", () => {
  const [order] = readRows("04-psa-order-return.csv");
  expect(order?.sheetCard).toEqual({ grade: "GEM MT 10", name: "2023 TOPPS CHROME #1 A. PLAYER" });
  const collection = readRows("06-cardladder-collection.csv");
  expect(collection[0]).toMatchObject({
    gradingCompany: "PSA",
    price: "400",
    sheetCard: { grade: "PSA 10", year: "2018" },
  });
  expect(collection.map((row) => judge(row).warnings.join("; "))).toEqual([
    'Company PSA read from "PSA 10"',
    'Company PSA read from "PSA 9"',
    'Company CGC read from "CGC 9.5"',
    'Company TAG read from "TAG 8"',
    'Company BGS read from "BGS 9"',
    "",
  ]);
  const [result, , last] = readRows("10-own-results.csv");
  expect(result).toMatchObject({ notes: "=1+1", price: "12.5" });
  expect(last).toMatchObject({ notes: "-5 % for cash", price: "call me" });
  expect(readRows("12-put-together.csv").map(({ notes }) => notes)).toEqual(
    expect.arrayContaining([
      '5" box',
      "whole line, quoted",
      "Pokémon in UTF-8",
      "Pokémon in Windows-1252",
      "two\r\nlines",
    ]),
  );
});

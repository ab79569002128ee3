import { describe, expect, it } from "vitest";
import { REFUSAL_EXAMPLES, REPAIR_EXAMPLES } from "@slabdesk/contract/certs/cert-cases.test-data.ts";
import { parseCertNumber } from "@slabdesk/contract/certs/cert-number.ts";
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "@slabdesk/contract/api/sheet-format.ts";
import { REFUSAL_CASES } from "@slabdesk/contract/certs/refusals.ts";
import { REPAIR_CASES } from "@slabdesk/contract/certs/repairs.ts";
import { columnsByName, HEADER_LINES_SEARCHED, SHEET_FIELDS } from "@slabdesk/contract/sheet/header.ts";
import { SHEETS } from "../e2e/sheets/expected.ts";
import { plain, readHouseFile, readTableRows } from "./markdown-tables.ts";

const text = readHouseFile("docs/sheets.md");
const tables = readTableRows(text);
const rowsUnder = (heading: string): string[][] =>
  tables.filter((row) => row.heading === heading).map(({ cells }) => cells);

/** The text between backticks; invisible characters are written as "U+200B ". */
function codesIn(cell: string): string[] {
  const codes = [...cell.matchAll(/`` (.+?) ``|`([^`]+)`/g)].map(([, double, single]) => double ?? single ?? "");
  return codes.map((code) =>
    code.replaceAll(/U\+([0-9A-F]{4}) /g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
  );
}

describe("docs/sheets.md", () => {
  it("lists every repair with its message, in the order of trial", () => {
    const rows = rowsUnder("What is repaired");
    expect(rows.map(([message]) => message)).toEqual(REPAIR_CASES.map(({ message }) => message));
    for (const [at, { name }] of REPAIR_CASES.entries()) {
      const examples = REPAIR_EXAMPLES[name];
      const [, typed = "", repaired = ""] = rows[at] ?? [];
      expect(examples.slice(0, 3).map(([, cell]) => cell)).toEqual(codesIn(typed));
      expect(codesIn(repaired)).toEqual([examples[0]?.[2]]);
    }
  });

  it("lists every refusal with its message", () => {
    const rows = rowsUnder("What is rejected");
    expect(rows.map(([title]) => title)).toEqual(REFUSAL_CASES.map(({ title }) => title));
    for (const [at, { title: wrong }] of REFUSAL_CASES.entries()) {
      const examples = REFUSAL_EXAMPLES[wrong] ?? [];
      const [, typed = "", said] = rows[at] ?? [];
      const [company = "PSA", cell = ""] = examples[0] ?? [];
      expect(codesIn(typed)).toEqual([cell]);
      expect(parseCertNumber(company, cell)).toMatchObject({ ok: false, message: said });
    }
  });

  it("names only known headings", () => {
    const rows = rowsUnder("Columns");
    expect(rows.map(([field]) => field)).toEqual([...SHEET_FIELDS]);
    for (const [field, names = ""] of rows)
      for (const name of codesIn(names)) expect([name, columnsByName([name])]).toEqual([name, { [field ?? ""]: 0 }]);
  });

  it("gives the limits", () => {
    const rows = MAX_SHEET_ROWS.toLocaleString("en-US");
    expect(text).toContain(`Up to ${rows} rows, ${MAX_SHEET_COLUMNS} columns`);
    expect(text).toContain(`one of the first ${HEADER_LINES_SEARCHED} lines`);
  });

  it("describes every sheet in the folder", () => {
    expect(rowsUnder("Twelve sheets").map(([file = "", damage]) => [plain(file), damage])).toEqual(
      SHEETS.map(({ file, damage }) => [file, damage]),
    );
  });
});

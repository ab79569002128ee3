import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { newSheetRowSchema } from "@slabdesk/contract/api/sessions.ts";
import { decodeSheet, parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import { restoreLine } from "@slabdesk/contract/sheet/safe-cells.ts";
import { parseSheet, type SheetReading } from "@slabdesk/contract/sheet/sheet.ts";
import { judgeRow, type RowVerdict, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import { amount } from "../../scripts/test-form.ts";
import { Chance } from "./chance.ts";
import { breakText, encode, MODELS, mutate, write, type SheetModel } from "./mutations.ts";

/*
 * Random sheets, 10,000 in the long form. Six of ten are changed in known ways: every line must be read, every cert
 * found, and none invented. The others are broken: nothing may crash, no character or line may be lost, and every
 * intact line is still looked up, or the file is refused with a message that names a line.
 *
 * A failure prints its seed; the same seed makes the same file.
 */
const TESTS = 10;
const PER_TEST = amount({ short: 50, long: 1_000 });
const FIRST_SEED = 20_261_121;
const SEEDS_APART = 1_000;

const isFilled = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== "");
const judge = (row: SheetRow): RowVerdict => judgeRow(row, { acceptCompanies: true });
const labelOf = (verdict: RowVerdict): string | null =>
  verdict.kind === "ready" ? `${verdict.company} ${verdict.certNumber}` : null;

test.each(Array.from({ length: TESTS }, (_, part) => FIRST_SEED + part * SEEDS_APART))(
  `${PER_TEST} files from seed %i on lose nothing`,
  (first) => {
    for (let seed = first; seed < first + PER_TEST; seed += 1) {
      const chance = new Chance(seed);
      const base = chance.pick(MODELS as [SheetModel, ...SheetModel[]]);
      try {
        if (chance.isIn(0.6)) checkChanged(base, chance);
        else checkBroken(base, chance);
      } catch (error) {
        throw new Error(`Seed ${seed}, made of ${base.file}`, { cause: error });
      }
    }
  },
);

/** The sheet is changed but valid: its whole content is known. */
function checkChanged(base: SheetModel, chance: Chance): void {
  const model = mutate(base, chance);
  const { bytes, linesBefore } = write(model, chance);
  const reading = parseSheet(decodeSheet(bytes));
  if (!reading.ok) throw new Error(`Refused: ${reading.message}`);

  const first = model.header.length + linesBefore + 1;
  const expected = model.rows
    .map((row, at) => ({ ...row, line: first + at }))
    .filter(({ cells }) => isFilled(cells))
    .map(({ line, cells, cert }) => ({
      line,
      cells: model.isOwnExport ? restoreLine(cells) : cells,
      cert: cert === null || cert.isDestroyed ? null : cert.label,
    }));
  const found = reading.sheet.rows.map((row) => ({ line: row.line, cells: row.cells, cert: labelOf(judge(row)) }));
  // The comparison of a failure's differences takes ten times as long.
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

/** The file is broken; the result must not depend on where. */
function checkBroken(base: SheetModel, chance: Chance): void {
  const { text, delimiter } = write(base, new Chance(chance.below(50)));
  let broken = text;
  for (let times = 1 + chance.below(4); times > 0; times -= 1) broken = breakText(broken, chance);
  const bytes = encode(broken, chance);
  if (chance.isIn(0.2)) bytes[chance.below(bytes.length)] = chance.below(256);
  const decoded = decodeSheet(bytes);
  const reading = parseSheet(decoded);

  if (!reading.ok) expect(reading.message).toMatch(/^[A-Z].{30,}\.$/s);
  checkNothingLost(decoded, reading);
  checkWholeLines(base, decoded, delimiter, reading);
}

/** Every character of the text is in a cell, and every line below the header that is not empty is a valid row. */
function checkNothingLost(text: string, reading: SheetReading): void {
  const csv = parseCsv(text);
  if (!csv.ok) return;
  const marks = /^\ufeff?"?sep=."?(?=[\r\n])|["\s,;|\ufeff]/gi;
  expect(csv.lines.flat().join("").replaceAll(marks, "")).toBe(text.replaceAll(marks, ""));
  if (!reading.ok) return;
  const below = csv.lines.flatMap((cells, at) =>
    at > (reading.mapping.headerLine ?? -1) && isFilled(cells) ? [at + 1] : [],
  );
  expect(reading.sheet.rows.map(({ line }) => line)).toEqual(below);
  for (const row of reading.sheet.rows) expect(newSheetRowSchema.safeParse(row).error).toBeUndefined();
}

/**
 * A line below the header that is intact is still looked up if separator and columns are unchanged. If a quotation mark
 * above it makes it part of a cell, the file is refused, or the row of that cell is.
 */
function checkWholeLines(base: SheetModel, text: string, delimiter: string, reading: SheetReading): void {
  if (!reading.ok || reading.sheet.delimiter !== delimiter) return;
  const header = base.header.at(-1);
  if (header === undefined || reading.sheet.header.join(delimiter) !== header.join(delimiter)) return;
  if (!isDeepStrictEqual(reading.mapping.columns, base.columns)) return;
  const written = text.split(/\r\n|\r|\n/);
  const below = new Set(written.slice(written.indexOf(header.join(delimiter)) + 1));
  if (written.indexOf(header.join(delimiter)) < 0) return;

  const rows = reading.sheet.rows.map((row) => ({ row, label: labelOf(judge(row)) }));
  const found = new Set(rows.map(({ label }) => label));
  for (const { cells, cert } of base.rows) {
    const line = cells.join(delimiter);
    if (cert === null || !below.has(line) || /["\r\n]/.test(line)) continue;
    const isSaid = rows.some(({ row, label }) => label === null && row.certNumber.includes(line));
    expect(found.has(cert.label) || isSaid, `${line} is neither looked up nor refused`).toBe(true);
  }
}

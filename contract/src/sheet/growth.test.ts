import fc from "fast-check";
import { expect, it } from "vitest";
import { amount } from "../../../scripts/test-form.ts";
import { LONGEST_COMPARED } from "../api/sessions.ts";
import { SHEET_COLUMNS } from "./header.ts";
import { formatCsvLines } from "./csv.ts";
import { differences } from "./differences.ts";
import { neutralizeLine } from "./safe-cells.ts";
import { judgeRow } from "./row.ts";
import { sessionFileName } from "./session-name.ts";
import { parseSheet } from "./sheet.ts";

/*
 * The time for a sheet grows with its length, whatever it contains. Cells consist of a repeated part between a start and
 * an end, because that makes slow patterns slow. A ratio within one run decides, not a time, and only a ratio that
 * repeats: a busy machine can slow down any single measurement.
 */

const PARTS = [
  " ",
  "\t",
  "\u00a0",
  "'",
  "=",
  "-",
  "+",
  "@",
  ",",
  ";",
  "|",
  ".",
  ":",
  "#",
  "/",
  "(",
  ")",
  "[",
  "<",
  "$",
];
const LONGER_PARTS = [
  "- (ID: 1",
  " - ",
  "1,",
  "1.",
  "1 ",
  "1,000",
  "PSA ",
  "PSA-",
  "a ",
  "A",
  "0",
  "9",
  "é",
  "\u200b",
  "１",
  "\u0301\u0316",
  "\ufdfa",
  '""x',
  "\n",
];
const ENDS = ["", "x", "1", "98174651", "=1", " - (ID: 1", "(", '"', "'", "USD", "€", "\u0000"];
const STARTS = [
  ...ENDS,
  "=HYPERLINK(",
  '="',
  "https://www.psacard.com/cert/",
  "PSA 10",
  "1.5E",
  "USD",
  "cert",
  "#",
  "serial",
  "no",
  "=T",
  "\uff01",
];

const filler = fc
  .tuple(
    fc.constantFrom(...STARTS),
    fc.array(fc.constantFrom(...PARTS, ...LONGER_PARTS), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...ENDS),
  )
  .map(([start, parts, end]) => ({ start, part: parts.join(""), end }));
type Filler = typeof filler extends fc.Arbitrary<infer T> ? T : never;

const cellOf = ({ start, part, end }: Filler, length: number): string =>
  start + part.repeat(Math.ceil(length / part.length)).slice(0, length - start.length - end.length) + end;

const HEADER = [...Object.values(SHEET_COLUMNS), "Name", "Grade", "Year", "Set", "URL handle"];
const LINE = ["98174651", "PSA", "12.50", "note", "Charizard", "9", "1999", "Base Set", "other"];

/** A sheet of two rows whose cell in one column is `cell`: a column of -1 puts it into every column. */
function sheetWith(cell: string, column: number, isHeader: boolean): string {
  const filled = (line: readonly string[]): string[] =>
    line.map((text, at) => (at === column || column < 0 ? cell : text));
  return formatCsvLines([isHeader ? filled(HEADER) : HEADER, isHeader ? LINE : filled(LINE), LINE]);
}

/** Reads, judges, compares, and writes a sheet: every function that a cell passes through. */
function passThrough(text: string): void {
  const reading = parseSheet(text);
  if (!reading.ok) return;
  for (const row of reading.sheet.rows) {
    judgeRow(row, { acceptCompanies: true });
    differences(row.sheetCard ?? {}, "PSA", {
      itemName: "1999 A",
      player: "A",
      brand: "B",
      variety: "C",
      year: "1999",
      grade: "9",
    });
    formatCsvLines([neutralizeLine(row.cells)]);
    sessionFileName(row.notes, new Date(0));
  }
}

/** Milliseconds of this thread's processor time, which other processes hardly change. */
function timeOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Garbage collection and cold caches can only add to a time, so the lowest of several counts. */
const fastest = (work: () => void): number => Math.min(timeOf(work), timeOf(work), timeOf(work));

/** Below this, any growth is fast enough: `LONGEST` is close to the limit of a cell. */
const NEGLIGIBLE_MS = 10;
const LONGEST = 32_000;
/** Doubling a length four times may cost 2.5 times as much each time. Linear work costs 16 times as much in all. */
const FACTOR = 16;
const MOST_GROWTH = 2.5 ** 4;

/**
 * Measures again while the growth is too high, up to ten times. Returns the lowest growth. The short text is worked on
 * many times, so that both measurements take about as long and a busy machine slows both down alike.
 */
function growthOf(work: (length: number) => void, longest = LONGEST, mostTries = 10): number {
  const workOnShort = (): void => {
    for (let times = 0; times < FACTOR; times += 1) work(longest / FACTOR);
  };
  let lowest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && lowest > MOST_GROWTH; tries += 1) {
    if (timeOf(() => work(longest)) < NEGLIGIBLE_MS) return 1;
    lowest = Math.min(lowest, (FACTOR * fastest(() => work(longest))) / fastest(workOnShort));
  }
  return lowest;
}

it("a pattern that is quadratic in the cell's length is noticed", () => {
  const quadratic = (length: number): void => void /\s+$/.test(`${" ".repeat(length)}x`);
  let longest = 1_000;
  while (fastest(() => quadratic(longest)) < 5 * NEGLIGIBLE_MS) longest *= 2;
  expect(growthOf(quadratic, longest, 1)).toBeGreaterThan(MOST_GROWTH);
});

it("the time for a sheet grows no faster than its cells, whatever they contain", { timeout: 600_000 }, () => {
  const column = fc.integer({ min: -1, max: LINE.length - 1 });
  fc.assert(
    fc.property(filler, column, fc.boolean(), (parts, at, isHeader) => {
      expect(growthOf((length) => passThrough(sheetWith(cellOf(parts, length), at, isHeader)))).toBeLessThanOrEqual(
        MOST_GROWTH,
      );
    }),
    {
      numRuns: amount({ short: 20, long: 2_000 }),
      examples: [
        [{ start: "", part: " ", end: "x" }, -1, false],
        [{ start: "", part: "\u0301\u0316", end: "" }, -1, true],
      ],
    },
  );
});

/** The longest cell that `parseCertNumber` parses, and the cells of a large sheet. */
const LONGEST_PARSED = 300;
const CELLS = 40;

it("the time for many cells grows no faster than their length, whatever they contain", { timeout: 600_000 }, () => {
  const judge = (cell: string): void => {
    for (let times = 0; times < CELLS; times += 1) judgeRow({ certNumber: cell, price: "", gradingCompany: "PSA" });
  };
  const examples = ["cert", "#", "serial", "no", "=", "=T"].map((start): [Filler] => [{ start, part: " ", end: "x" }]);
  examples.push([{ start: "\uff01", part: "\u0301\u0316", end: "" }]);
  fc.assert(
    fc.property(filler, (parts) => {
      expect(growthOf((length) => judge(cellOf(parts, length)), LONGEST_PARSED)).toBeLessThanOrEqual(MOST_GROWTH);
    }),
    { numRuns: amount({ short: 20, long: 2_000 }), examples },
  );
});

it("the time for differences grows no faster than their texts", { timeout: 600_000 }, () => {
  const compare = (length: number): void => {
    const [set, brand] = ["AAAAB ".repeat(length / 6), "AAAAC ".repeat(length / 6)];
    const card = { itemName: brand, player: brand, brand, variety: brand, year: null, grade: null };
    for (let times = 0; times < CELLS; times += 1) differences({ name: set, set }, "PSA", card);
  };
  expect(growthOf(compare, LONGEST_COMPARED)).toBeLessThanOrEqual(MOST_GROWTH);
});

it("the time for a text grows no faster than its length, whatever it contains", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(filler, (parts) => {
      expect(growthOf((length) => passThrough(cellOf(parts, 4 * length)))).toBeLessThanOrEqual(MOST_GROWTH);
    }),
    {
      numRuns: amount({ short: 10, long: 500 }),
      examples: ['""x\n', '""x,'].map((part): [Filler] => [{ start: "CertNumber,GradingCompany\n", part, end: "" }]),
    },
  );
});

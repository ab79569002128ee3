import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { CsvError, parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../../../scripts/test-form.ts";
import { parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import type { Delimiter } from "@slabdesk/contract/api/sheet-format.ts";
import { restoreLine } from "@slabdesk/contract/sheet/safe-cells.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";
import { csvFile, type Table } from "./table.file.ts";
import { SAMPLE_ROWS } from "./testing/sample-session.ts";

const SEPARATORS: readonly Delimiter[] = [",", ";", "\t", "|"];
const HEADER = ["CertNumber", "GradingCompany", "Notes"];

/** Random cells, like those of a session. */
const TABLE: Table = { columns: HEADER.map((header) => ({ header, kind: "own" })), linesOf: ({ cells }) => [cells] };

const write = (lines: readonly string[][], delimiter: Delimiter): Promise<string> => text(csvOf(lines, delimiter));

function csvOf(lines: readonly string[][], delimiter: Delimiter): Readable {
  const [{ row } = expect.unreachable("there is a sample")] = SAMPLE_ROWS;
  async function* pages(): AsyncGenerator<StreamedRow[]> {
    yield lines.map((cells) => ({ row, cells }));
  }
  return csvFile(TABLE, pages(), { delimiter, hasMark: false });
}

/** The cells of a reader that ignores quotation marks. */
const cutEverywhere = (file: string, separator: string): string[] =>
  file.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator));

/** A reader that honors them; an unclosed one ends with the file. */
function cutByCsvParse(file: string, delimiter: string): string[] {
  try {
    return parse(file, { delimiter, relax_quotes: true, relax_column_count: true }).flat();
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
    return cutByCsvParse(`${file}"`, delimiter);
  }
}

const runs = (cell: string): boolean => {
  const bare = cell.replace(/^[\s"]+|[\s"]+$/g, "");
  return /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(bare) && !/^(?:-\d+(?:\.\d+)?|-+)$/.test(bare);
};

const attack = fc.string({ unit: fc.constantFrom(...Array.from("'\"=+-@;,|\t\r\n 19a"), "=1+1", "-5"), maxLength: 10 });
const lines = fc.array(fc.tuple(attack, attack, attack), { minLength: 1, maxLength: 4 });

describe("an exported CSV file", () => {
  test.each(SEPARATORS)("split at any separator but its own %j has no formula cell", async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(lines, async (cells) => {
        const file = await write(cells, delimiter);
        for (const separator of SEPARATORS) {
          expect(cutEverywhere(file, separator).filter(runs)).toEqual([]);
          expect(cutByCsvParse(file, separator).filter(runs)).toEqual([]);
        }
      }),
      { numRuns: amount({ short: 50, long: 500 }) },
    );
  });

  test.each(SEPARATORS)("separated by %j is restored unchanged", async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(lines, async (cells) => {
        const reading = parseCsv(await write(cells, delimiter));
        expect(reading.ok && reading.lines.map(restoreLine)).toEqual([HEADER, ...cells]);
      }),
      { numRuns: amount({ short: 25, long: 200 }) },
    );
  });

  test("is written in pieces, also within a long line", async () => {
    const cells = Array.from({ length: 30 }, () => "=,".repeat(16_000));
    const lengths: number[] = [];
    for await (const piece of csvOf([cells], ",")) lengths.push(String(piece).length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(30 * 32_000);
    expect(Math.max(...lengths)).toBeLessThan(150_000);
  });
});

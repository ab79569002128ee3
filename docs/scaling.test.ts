import { describe, expect, it } from "vitest";
import { parseConfig } from "../server/src/config.ts";
import { readHouseFile, readTableRows } from "./markdown-tables.ts";

const text = readHouseFile("docs/scaling.md").replaceAll(/\s+/g, " ");
const benchmarks = readHouseFile("docs/benchmarks.md");
const rows = readTableRows(readHouseFile("docs/scaling.md")).map(({ cells }) => cells);

/** The first number of a text, NaN without one. */
const number = (shown = ""): number => Number.parseFloat(shown.replaceAll(",", "").replace(/^\D+/, ""));
const sumOf = (numbers: Iterable<RegExpExecArray>): number =>
  [...numbers].reduce((sum, [found]) => sum + number(found), 0);
const note = (pattern: RegExp): number => number(pattern.exec(benchmarks)?.[1]);
const cell = (heading: string, first: string, column: number): number =>
  number(readTableRows(benchmarks).find((row) => row.heading === heading && row.cells[0] === first)?.cells[column]);

/** The rows of the first table, in their order. */
const measured = [
  cell("Cards through one node", "1", 1),
  cell("Cards through one node", "16", 1),
  cell("Cards through one node", "16", 3),
  note(/bytes as a row, ([\d,]+) as/) / 1000 + note(/takes ([\d,]+) bytes as a row/) / 1000,
  note(/idle node .*?\(([\d.,]+) statements\/s/),
  note(/idle stream .*? and ([\d.,]+) statements\/s/),
  note(/idle stream costs about ([\d.,]+) kB/),
  // The streams follow a run of two cards a second.
  cell("Progress to the browsers", "100", 4) / 2,
  sumOf(/^Connections of the node .*$/m.exec(benchmarks)?.[0].matchAll(/\bslabdesk[a-z-]* \d+/g) ?? []),
];
const inputs = rows.filter((cells) => cells.length === 2).map(([, value]) => number(value));
const { CARD_DELAY_MS, PRICING_DELAY_MS, PSA_DAILY_QUOTA } = parseConfig({});

/** A row of the large table, worked out from the inputs and from what the text above it assumes. */
function rowFor(shops: number, nodes: number) {
  const [single = 0, full = 0, perCard = 0, kilobytes = 0, idleNode = 0, idleTable = 0, , told = 0, open = 0] = inputs;
  const [cards, tables] = [shops * 200, shops * 2];
  const perSecond = (cards * 0.25) / 3600;
  const statements = perSecond * (perCard + 2 * told) + tables * idleTable + nodes * idleNode;
  const lanes = Math.ceil((cards * CARD_DELAY_MS) / 86_400_000);
  const tokens = Math.ceil((cards * 2) / PSA_DAILY_QUOTA);
  const needed = shops > 100 ? Math.ceil(tables / 2000) + Math.ceil(perSecond / single) + 2 : Math.min(shops, 2);
  const cores = Math.ceil((2 * statements) / ((full / 2) * perCard));
  const gigabytes = (cards * 250 * kilobytes) / 1e6;
  return [shops, cards, lanes, tokens, perSecond, tables, statements, gigabytes, needed, nodes * open, cores];
}

describe("docs/scaling.md", () => {
  it("rounds what was measured", () => {
    expect(inputs).toHaveLength(measured.length);
    const stale = measured.filter((exact, index) => !(Math.abs((inputs[index] ?? 0) / exact - 1) < 0.15));
    expect(stale).toEqual([]);
  });

  it.each(rows.filter((cells) => cells.length === 11))("works out what %s shops need", (...cells) => {
    const nodes = sumOf(cells[8]?.matchAll(/\d+/g) ?? []);
    const shown = cells.map((given, column) => (column === 8 ? nodes : number(given)));
    for (const [column, exact] of rowFor(number(cells[0]), nodes).entries())
      expect(Math.abs((shown[column] ?? 0) - exact), `column ${column + 1}`).toBeLessThan(exact < 999 ? exact / 25 : 1);
  });

  it("gets its sums right", () => {
    const sums = [...text.matchAll(/([\d.,]+) ([×/]) ([\d.,]+) = ([\d.,]*\d)/g)];
    for (const [sum, one, sign, other, result] of sums)
      expect(number(result), sum).toBeCloseTo(sign === "/" ? number(one) / number(other) : number(one) * number(other));
    for (const perDay of [86_400_000 / CARD_DELAY_MS, 86_400_000 / PRICING_DELAY_MS, PSA_DAILY_QUOTA / 2])
      expect(text).toContain(`= ${perDay.toLocaleString("en-US")} cards`);
  });
});

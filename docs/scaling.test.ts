import { describe, expect, it } from "vitest";
import { parseConfig } from "../server/src/config.ts";
import { readHouseFile, readTableRows } from "./markdown-tables.ts";

const scaling = readHouseFile("docs/scaling.md").replaceAll(/\s+/g, " ");
const benchmarks = readHouseFile("docs/benchmarks.md");
const { CARD_DELAY_MS, PRICING_DELAY_MS, PSA_DAILY_QUOTA } = parseConfig({});
const DAY_MS = 86_400_000;

const number = (shown = ""): number => Number.parseFloat(shown.replaceAll(",", ""));
const noted = (pattern: RegExp): number => number(pattern.exec(benchmarks)?.[1]);
const cell = (heading: string, first: string, column: number): number =>
  number(readTableRows(benchmarks).find((row) => row.heading === heading && row.cells[0] === first)?.cells[column]);
const whole = (value: number): string => value.toLocaleString("en-US");
const rounded = (value: number): string => value.toLocaleString("en-US", { maximumSignificantDigits: 2 });

const cardsPerWorker = cell("Cards through one node", "1", 1);
const statementsPerCard = cell("Cards through one node", "16", 3);
const bytesPerCard = noted(/takes ([\d,]+) bytes as a row/) + noted(/bytes as a row, ([\d,]+) as/);
const statementsOfIdleNode = noted(/idle node's own \(([\d.,]+) statements\/s/);
const statementsOfIdleTable = noted(/idle stream .*? and ([\d.,]+) statements\/s/);
/** The measured run settles two cards a second. */
const statementsPerTold = cell("Progress to the browsers", "100", 4) / 2;
const tablesPerNode = 500;
const connections = [
  ...(/^Connections of the node .*$/m.exec(benchmarks)?.[0].matchAll(/slabdesk[a-z-]* (\d+)/g) ?? []),
]
  .map(([, count]) => number(count))
  .reduce((sum, count) => sum + count, 0);

function rowFor(shops: number): string {
  const cards = shops * 200;
  const tables = shops * 2;
  const perSecond = (cards * 0.25) / 3600;
  const web = Math.ceil(tables / tablesPerNode) + 1;
  const workers = Math.ceil(perSecond / cardsPerWorker) + 1;
  const nodes = shops > 100 ? web + workers : Math.min(shops, 2);
  const statements =
    perSecond * (statementsPerCard + 2 * statementsPerTold) +
    tables * statementsOfIdleTable +
    nodes * statementsOfIdleNode;
  const cells = [
    whole(shops),
    whole(cards),
    whole(Math.ceil((cards * CARD_DELAY_MS) / DAY_MS)),
    whole(Math.ceil((cards * 2) / PSA_DAILY_QUOTA)),
    rounded(perSecond),
    whole(tables),
    rounded(statements),
    rounded((cards * 250 * bytesPerCard) / 1e9),
    shops > 100 ? `${web} web + ${workers} worker` : `${nodes} all`,
  ];
  return `| ${cells.join(" | ")} |`;
}

describe("docs/scaling.md", () => {
  it.each([1, 10, 100, 1000, 10_000])("derives the row of %s shops from the benchmarks and settings", (shops) => {
    expect(scaling).toContain(rowFor(shops));
  });

  it("derives the limits in its text", () => {
    for (const limit of [
      `${whole(DAY_MS / CARD_DELAY_MS)} cards a day`,
      `${whole(DAY_MS / PRICING_DELAY_MS)} cards (CardLadder)`,
      `${whole(PSA_DAILY_QUOTA / 2)} cards a day per token`,
      `Three lanes start ${3000 / CARD_DELAY_MS} cards/s`,
      `enough for ${Math.floor(100 / connections)} nodes`,
    ])
      expect(scaling).toContain(limit);
    expect(cell("Progress to the browsers", String(tablesPerNode), 4)).toBeGreaterThan(0);
  });
});

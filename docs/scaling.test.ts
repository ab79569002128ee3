import { describe, expect, it } from "vitest";
import { readHouseFile, readTableRows } from "./markdown-tables.ts";

/*
 * The tables of docs/scaling.md are sums. They are done again here from the figures that the document says it reckons
 * with, so that a figure cannot be changed without its consequences.
 */

const rows = readTableRows(readHouseFile("docs/scaling.md")).filter(({ heading }) => heading.startsWith("From 1 shop"));
const number = (cell = ""): number => Number(cell.replaceAll(",", ""));

function figure(what: string): number {
  const cells = rows.find((row) => row.cells[0]?.startsWith(what))?.cells;
  if (!cells) throw new Error(`docs/scaling.md does not say "${what}"`);
  return number(cells[1]);
}

const bySize = rows.filter(({ cells }) => /^[\d,]+$/.test(cells[0] ?? "")).map(({ cells }) => cells);
const sums = bySize.filter((cells) => cells.length === 8);
const plans = bySize.filter((cells) => cells.length === 6);

/** Two digits or more, as they stand in the table. */
const isRounded = (shown: number, exact: number): boolean => Math.abs(shown - exact) <= Math.max(exact * 0.04, 0.5e-3);

function nodesOf(plan: string): number {
  return [...plan.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
}

function reckon(shops: number, nodes: number) {
  const cardsADay = shops * figure("cards a shop");
  const cardsASecond = (cardsADay * figure("share of the day")) / 3_600;
  const tables = shops * figure("open tables a shop");
  return {
    cardsADay,
    lanes: Math.ceil((cardsADay * figure("seconds between")) / 86_400),
    tokens: Math.ceil((cardsADay * figure("API calls a card")) / figure("calls a day")),
    cardsASecond,
    tables,
    statements:
      cardsASecond * figure("statements a card") +
      cardsASecond * figure("open tables a shop") * figure("statements a look-up") +
      tables * figure("statements/s an idle open table") +
      nodes * figure("statements/s an idle node"),
    gigabytes: (cardsADay * figure("working days") * figure("kB a card")) / 1e6,
  };
}

describe("docs/scaling.md", () => {
  it("goes from 1 shop to 10,000 in both tables", () => {
    const sizes = [1, 10, 100, 1_000, 10_000];
    expect(sums.map(([shops]) => number(shops))).toEqual(sizes);
    expect(plans.map(([shops]) => number(shops))).toEqual(sizes);
  });

  it.each(sums)("%s shops: the sums follow from the figures", (...cells) => {
    const [shops, cardsADay, lanes, tokens, cardsASecond, tables, statements, gigabytes] = cells.map(number);
    const plan = plans.find(([size]) => number(size) === shops);
    const exact = reckon(shops ?? 0, nodesOf(plan?.[1] ?? ""));
    expect({ cardsADay, lanes, tokens, tables }).toEqual({
      cardsADay: exact.cardsADay,
      lanes: exact.lanes,
      tokens: exact.tokens,
      tables: exact.tables,
    });
    expect({ cardsASecond, is: isRounded(cardsASecond ?? 0, exact.cardsASecond) }).toMatchObject({ is: true });
    expect(statements).toBe(Math.round(exact.statements));
    expect({ gigabytes, is: isRounded(gigabytes ?? 0, exact.gigabytes) }).toMatchObject({ is: true });
  });

  it.each(plans)("%s shops: %s are enough, and have their connections", (shops = "", nodes = "", connections = "") => {
    const { tables, cardsASecond } = reckon(number(shops), 0);
    expect(number(connections)).toBe(nodesOf(nodes) * figure("connections a node"));
    const webNeeded = Math.ceil(tables / figure("open tables a web node"));
    const workersNeeded = Math.ceil(cardsASecond / figure("cards/s a worker"));
    if (nodes.endsWith(" all")) expect(nodesOf(nodes)).toBeGreaterThanOrEqual(Math.max(webNeeded, workersNeeded));
    else expect(nodes).toBe(`${webNeeded + 1} web + ${workersNeeded + 1} worker`);
  });
});

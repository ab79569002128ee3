import { execFileSync } from "node:child_process";
import { GOALS } from "./goals.ts";

/* docs/benchmarks-history.csv: one line per commit that was measured, to notice when a number gets worse. */

const OTHERS = ["cards per second", "statements per card"] as const;
type Name = keyof typeof GOALS | (typeof OTHERS)[number];
/** The ratios and rates to watch, by column. */
export type Watched = Partial<Record<Name, number>>;
const COLUMNS = ["commit", "date", ...Object.keys(GOALS), ...OTHERS];

type Line = ReadonlyMap<string, string>;

function readLines(history: string): Line[] {
  const [head = [], ...lines] = history
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(","));
  return lines.map((cells) => new Map(cells.map((cell, at) => [head[at] ?? "", cell])));
}

/** The history with these numbers in the line of the commit that is checked out. Numbers that were not measured stay. */
export function withMeasured(history: string, watched: Watched, date: string): string {
  const commit = execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim();
  const lines = readLines(history);
  const measured = Object.entries(watched).map(([name, value]) => [name, value.toPrecision(3)] as const);
  const before = lines.find((line) => line.get("commit") === commit) ?? [];
  const newest = new Map([...before, ...measured, ["commit", commit], ["date", date]]);
  const all = [...lines.filter((line) => line.get("commit") !== commit), newest];
  return [COLUMNS, ...all.map((line) => COLUMNS.map((name) => line.get(name) ?? ""))]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
}

/** The latest number of each column. */
export function latestOf(history: string): Map<string, number> {
  const cells = readLines(history).flatMap((line) => [...line]);
  return new Map(cells.filter(([, cell]) => cell !== "").map(([name, cell]) => [name, Number(cell)]));
}

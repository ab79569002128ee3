import { execFileSync } from "node:child_process";

/* docs/benchmarks-history.csv: one line per commit that was measured, to notice when a number gets worse. */

/** The ratios and rates to watch, by column. */
export type Watched = Partial<Record<(typeof COLUMNS)[number], number>>;
const COLUMNS = [
  "cards per second",
  "statements per card",
  "cards against a fetch loop",
  "cost per card of 100000 rows against 1000",
  "CSV against COPY",
  "XLSX rows per second",
  "seconds to read 100000 rows",
  "seconds of a later start",
  "MB of a node at rest",
] as const;
const HEAD = ["commit", "date", ...COLUMNS].join(",");

/** The history with these numbers in the line of the commit that is checked out. Numbers that were not measured stay. */
export function withMeasured(history: string, watched: Watched, date: string): string {
  const commit = execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim();
  const lines = history.split("\n").filter((line) => line !== "" && !line.startsWith("commit,"));
  const before = lines.find((line) => line.startsWith(`${commit},`))?.split(",");
  const cells = COLUMNS.map((name, at) => watched[name]?.toPrecision(3) ?? before?.[at + 2] ?? "");
  const others = lines.filter((line) => !line.startsWith(`${commit},`));
  return `${[HEAD, ...others, [commit, date, ...cells].join(",")].join("\n")}\n`;
}

import { type Goal, GOALS } from "./goals.ts";
import type { Watched } from "./history.ts";
import { formatNumber } from "./numbers.ts";

/** One table of the report. */
export type Section = {
  title: string;
  /** The method, before the table. */
  about: string;
  head: string[];
  rows: string[][];
  /** What the numbers mean and don't mean, after the table. */
  notes: string[];
  /** Numbers for the history. */
  watched?: Watched;
};

/** The hardware and versions, without the names of machines and paths. */
export type Machine = { date: string; facts: [name: string, value: string][] };

/** The goals, version 0.1's values, and the latest ones. */
export function goalsSection(latest: ReadonlyMap<string, number>): Section {
  const goals: [string, Goal][] = Object.entries(GOALS);
  return {
    title: "Goals",
    about:
      "The values of version 0.1 are from another machine with two cores, and the speed of machines varies by the hour, " +
      "so compare the ratios of the sections below, too.",
    head: ["what", "0.1", "now", "goal", "reached"],
    rows: goals.map(([name, { before, goal, isMore }]) => {
      const now = latest.get(name);
      const isReached = now !== undefined && (isMore ? now >= goal : now <= goal);
      return [
        name.replaceAll("100000", "100,000").replace("1000", "1,000"),
        before === null ? "" : formatNumber(before),
        now === undefined ? "" : formatNumber(now),
        `${isMore ? "at least" : "at most"} ${formatNumber(goal)}`,
        now === undefined ? "" : isReached ? "yes" : "no",
      ];
    }),
    notes: [],
  };
}

/** The text of docs/benchmarks.md. */
export function writeReport(machine: Machine, sections: readonly Section[]): string {
  const facts = machine.facts.map(([name, value]) => `${name} ${value}`).join(", ");
  const blocks = [
    "# Benchmarks",
    `Written by \`npm run bench\` on ${machine.date}; don't edit it. Machine: ${facts}. Server, ` +
      "PostgreSQL, simulator, and the benchmark share the machine, so compare only numbers of one section, and prefer " +
      "ratios. What they mean for larger installations: [scaling](scaling.md).",
    ...sections.flatMap(writeSection),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The report with one section replaced, or added at the end. */
export function putSection(report: string, section: Section): string {
  const [before, rest] = report.split(`\n## ${section.title}\n`);
  if (before === undefined || rest === undefined)
    return `${[report.trimEnd(), ...writeSection(section)].join("\n\n")}\n`;
  const after = rest.indexOf("\n## ");
  return `${before}\n${writeSection(section).join("\n\n")}\n${after < 0 ? "" : rest.slice(after)}`;
}

function writeSection({ title, about, head, rows, notes }: Section): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const table = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
  return [`## ${title}`, about, table, ...notes];
}

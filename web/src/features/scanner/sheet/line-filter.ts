import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import type { SheetLine } from "./sheet-summary.ts";
import type { Tone } from "../../../ui/tone.ts";

export const LINE_FILTERS = ["all", "fix", "guessed", "repaired", "cached", "duplicate"] as const;
export type LineFilter = (typeof LINE_FILTERS)[number];

type Matches = (line: SheetLine, cached: ReadonlySet<number>) => boolean;
export const FILTER_RULES: Record<LineFilter, { label: string; matches: Matches }> = {
  all: { label: "All", matches: () => true },
  fix: { label: "To fix", matches: ({ state }) => state === "fix" },
  guessed: { label: "Guessed", matches: ({ isGuessed }) => isGuessed },
  repaired: { label: "Repaired", matches: ({ becomes }) => becomes !== null },
  cached: { label: "From cache", matches: ({ line, state }, cached) => state !== "fix" && cached.has(line) },
  duplicate: { label: "Duplicates", matches: ({ state }) => state === "duplicate" },
};

export function linesIn(ranges: ScanPlan["knownLines"]): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const [first, last] of ranges) for (let line = first; line <= last; line += 1) lines.add(line);
  return lines;
}

export function countLines(lines: readonly SheetLine[], cached: ReadonlySet<number>): Record<LineFilter, number> {
  const counts: Record<LineFilter, number> = { all: 0, fix: 0, guessed: 0, repaired: 0, cached: 0, duplicate: 0 };
  for (const line of lines) {
    for (const filter of LINE_FILTERS) if (FILTER_RULES[filter].matches(line, cached)) counts[filter] += 1;
  }
  return counts;
}

type LineQuery = { filter: LineFilter; find: string; cached: ReadonlySet<number>; kept: ReadonlySet<number> };

/** The lines of a filter and a find text. `kept` lines were edited in this filter and stay until it changes. */
export function shownLines(lines: readonly SheetLine[], { filter, find, cached, kept }: LineQuery): SheetLine[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (!kept.has(line.line) && !FILTER_RULES[filter].matches(line, cached)) return false;
    const text = `${line.where} ${line.certNumber} ${line.gradingCompany} ${line.price} ${line.notes} ${line.message}`;
    return words.every((word) => text.toLowerCase().includes(word));
  });
}

/** A line's verdict as a label and a color. `cached` are the lines that a saved result fills, as far as the plan says. */
export function verdictOf({ line, state, gradingCompany }: SheetLine, cached: ReadonlySet<number>): [string, Tone] {
  switch (state) {
    case "fix":
      return ["To fix", "bad"];
    case "duplicate":
      return ["Duplicate", "neutral"];
    case "guessed":
      return [`Looks like ${gradingCompany}`, "warn"];
    default:
      if (cached.has(line)) return ["From cache", "accent"];
      return state === "repaired" ? ["Repaired", "warn"] : ["Ready", "good"];
  }
}

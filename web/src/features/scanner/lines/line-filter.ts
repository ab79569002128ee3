import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import type { SheetLine } from "../sheet/sheet-summary.ts";
import type { Tone } from "../../../ui/tone.ts";

/** Which lines of the sheet the table shows. */
export const LINE_FILTERS = ["all", "fix", "guessed", "repaired", "cached", "duplicate"] as const;
export type LineFilter = (typeof LINE_FILTERS)[number];

export const LINE_FILTER_LABELS: Record<LineFilter, string> = {
  all: "All",
  fix: "To fix",
  guessed: "Guessed",
  repaired: "Repaired",
  cached: "From cache",
  duplicate: "Duplicates",
};

/** The lines of these ranges. */
export function linesIn(ranges: ScanPlan["knownLines"]): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const [first, last] of ranges) for (let line = first; line <= last; line += 1) lines.add(line);
  return lines;
}

function matches(line: SheetLine, filter: LineFilter, cached: ReadonlySet<number>): boolean {
  switch (filter) {
    case "all":
      return true;
    case "guessed":
      return line.isGuessed;
    case "repaired":
      return line.becomes !== null;
    case "cached":
      return line.state !== "fix" && cached.has(line.line);
    default:
      return line.state === filter;
  }
}

export function countLines(lines: readonly SheetLine[], cached: ReadonlySet<number>): Record<LineFilter, number> {
  const counts: Record<LineFilter, number> = { all: 0, fix: 0, guessed: 0, repaired: 0, cached: 0, duplicate: 0 };
  for (const line of lines) for (const filter of LINE_FILTERS) if (matches(line, filter, cached)) counts[filter] += 1;
  return counts;
}

export type LineQuery = { filter: LineFilter; find: string; cached: ReadonlySet<number>; kept: ReadonlySet<number> };

/** The lines of a filter and a find text. `kept` lines were edited in this filter and stay until it changes. */
export function shownLines(lines: readonly SheetLine[], { filter, find, cached, kept }: LineQuery): SheetLine[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (!kept.has(line.line) && !matches(line, filter, cached)) return false;
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

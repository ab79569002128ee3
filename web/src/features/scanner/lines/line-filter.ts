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

/** True for the lines that a saved result fills, as far as the plan says. */
export type IsCached = (line: number) => boolean;

export function isCachedIn(ranges: ScanPlan["knownLines"]): IsCached {
  return (line) => {
    let [low, high] = [0, ranges.length - 1];
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const [first = 0, last = 0] = ranges[middle] ?? [];
      if (line < first) high = middle - 1;
      else if (line > last) low = middle + 1;
      else return true;
    }
    return false;
  };
}

function matches(line: SheetLine, filter: LineFilter, isCached: IsCached): boolean {
  switch (filter) {
    case "all":
      return true;
    case "guessed":
      return line.isGuessed;
    case "repaired":
      return line.becomes !== null;
    case "cached":
      return line.state !== "fix" && isCached(line.line);
    default:
      return line.state === filter;
  }
}

export function countLines(lines: readonly SheetLine[], isCached: IsCached): Record<LineFilter, number> {
  const counts: Record<LineFilter, number> = { all: 0, fix: 0, guessed: 0, repaired: 0, cached: 0, duplicate: 0 };
  for (const line of lines) for (const filter of LINE_FILTERS) if (matches(line, filter, isCached)) counts[filter] += 1;
  return counts;
}

export type LineQuery = { filter: LineFilter; find: string; isCached: IsCached; kept: ReadonlySet<number> };

/** The lines of a filter and a find text. `kept` lines were edited in this filter and stay until it changes. */
export function shownLines(lines: readonly SheetLine[], { filter, find, isCached, kept }: LineQuery): SheetLine[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (!kept.has(line.line) && !matches(line, filter, isCached)) return false;
    const text = `${line.where} ${line.certNumber} ${line.gradingCompany} ${line.price} ${line.notes} ${line.message}`;
    return words.every((word) => text.toLowerCase().includes(word));
  });
}

/** A line's verdict as a label and a color. */
export function verdictOf({ line, state, gradingCompany }: SheetLine, isCached: IsCached): [string, Tone] {
  switch (state) {
    case "fix":
      return ["To fix", "bad"];
    case "duplicate":
      return ["Duplicate", "neutral"];
    case "guessed":
      return [`Looks like ${gradingCompany}`, "warn"];
    default:
      if (isCached(line)) return ["From cache", "accent"];
      return state === "repaired" ? ["Repaired", "warn"] : ["Ready", "good"];
  }
}

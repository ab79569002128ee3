import type { CheerioAPI } from "cheerio";
import type { Population } from "@slabdesk/contract/api/cards.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import { foldText, type Text } from "../card-text.ts";
import { populationOf } from "../population.ts";
import { elementsOf } from "../html-records.ts";

/** The parts of the dealer API's answer that can have the population. No real answer is public (README.md). */
type CgcCounts = { population?: unknown; populationReport?: unknown };

/** Reads the population in any of the three shapes that clients know. Other shapes are unknown, not an error. */
export function readCgcPopulation({ population, populationReport }: CgcCounts, grade: Text, now: Date): Population {
  const report = fieldsOf(populationReport);
  const counts = fieldsOf(population);
  const atGrade = report.get("samegrade") ?? counts.get("populationatgrade") ?? countOfGrade(counts, grade);
  return populationOf({ atGrade, higher: report.get("highergrades") }, now);
}

function fieldsOf(value: unknown): Map<string, unknown> {
  if (typeof value !== "object" || value === null) return new Map();
  return new Map(Object.entries(value).map(([name, count]) => [gradeKey(name), count]));
}

/** The count under the grade's own name, or under the only name with the same number. */
function countOfGrade(counts: ReadonlyMap<string, unknown>, grade: Text): unknown {
  if (grade === null) return null;
  const own = counts.get(gradeKey(grade));
  if (own !== undefined) return own;
  const number = parseNumericGrade(grade);
  const same = [...counts].filter(([name]) => number !== null && parseNumericGrade(name) === number);
  return same.length === 1 ? same[0]?.[1] : null;
}

function gradeKey(name: string): string {
  return (foldText(name) ?? "").toLowerCase();
}

/** Reads "In 9 Grade: 687" and "In Higher Grades: 2,577" from a page. */
export function readPrintedPopulation($: CheerioAPI): { atGrade: Text; higher: Text } {
  const text = elementsOf($, ".certlookup-stats")[0]?.text() ?? "";
  return {
    atGrade: /\bIn (?!Higher\b)[^:]{1,40} Grade:\s*(\d[\d,]*)/i.exec(text)?.[1] ?? null,
    higher: /\bIn Higher Grades?:\s*(\d[\d,]*)/i.exec(text)?.[1] ?? null,
  };
}

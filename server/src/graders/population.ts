import type { Population } from "@slabdesk/contract/api/cards.ts";

/** A count as a grader gives it: a number, or digits with thousands separators. Null for anything else. */
function readCount(value: unknown): number | null {
  const digits = typeof value === "number" || typeof value === "string" ? String(value).replaceAll(",", "").trim() : "";
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}

/** The population in a grader's answer that arrived `now`. */
export function populationOf(counts: { atGrade: unknown; higher: unknown }, now: Date): Population {
  const population = readCount(counts.atGrade);
  const populationHigher = readCount(counts.higher);
  const isUnknown = population === null && populationHigher === null;
  return { population, populationHigher, populationAsOf: isUnknown ? null : now.toISOString() };
}

import type { Company } from "./company.ts";

/** The lowest grades that are shown in green and orange (docs/conformance.md, 2.3-45 and 2.3-46). */
const GRADE_GREEN_FROM = 9;
const GRADE_ORANGE_FROM = 7;

/** The number in a grade: "NM-MT 8.5" is 8.5, "10 PRISTINE" is 10. Null if there is none ("Authentic", "N/A"). */
export function parseNumericGrade(grade: string): number | null {
  const number = /(?:^|[^\d.])(10|[1-9](?:\.5)?)(?![\d.])/.exec(grade)?.[1];
  return number === undefined ? null : Number(number);
}

export type GradeTone = "green" | "orange" | "grey";

/** The display color of a grade: green from 9, orange from 7, else gray. */
export function gradeTone(grade: string): GradeTone {
  const number = parseNumericGrade(grade);
  if (number === null || number < GRADE_ORANGE_FROM) return "grey";
  return number >= GRADE_GREEN_FROM ? "green" : "orange";
}

/** Grades as each company prints them, highest first. Other grades exist; these are suggestions for typing. */
export const USUAL_GRADES: Record<Company, readonly string[]> = {
  PSA: gradesIn(`
    GEM MT 10, MINT 9, NM-MT+ 8.5, NM-MT 8, NM+ 7.5, NM 7, EX-MT+ 6.5, EX-MT 6, EX+ 5.5, EX 5, VG-EX+ 4.5, VG-EX 4,
    VG+ 3.5, VG 3, GOOD+ 2.5, GOOD 2, FR 1.5, PR 1, Authentic`),
  CGC: gradesIn(`
    PRISTINE 10, GEM MINT 10, MINT+ 9.5, MINT 9, NM/MINT+ 8.5, NM/MINT 8, NEAR MINT+ 7.5, NEAR MINT 7, EX/NM+ 6.5,
    EX/NM 6, 5.5, 5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1`),
  TAG: gradesIn(`
    10 PRISTINE, 10 GEM MINT, 9 MINT, 8.5 NM MT+, 8 NM MT, 7.5 NEAR MINT+, 7 NEAR MINT, 6.5, 6, 5.5, 5, 4.5, 4, 3.5,
    3, 2.5, 2, 1.5, 1`),
};

function gradesIn(text: string): string[] {
  return text.trim().split(/,\s+/);
}

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

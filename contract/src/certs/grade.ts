/** Grades at or above these numbers are shown green and orange (SPEC section 9). */
const GRADE_GREEN_FROM = 9;
const GRADE_ORANGE_FROM = 7;

/**
 * The number in a grade as the grader prints it: "GEM MT 10" is 10, "NM-MT 8.5" is 8.5, "10 PRISTINE" is 10.
 * Null when there is none ("Authentic", "N/A").
 */
export function parseNumericGrade(grade: string): number | null {
  const number = /(?:^|[^\d.])(10|[1-9](?:\.5)?)(?![\d.])/.exec(grade)?.[1];
  return number === undefined ? null : Number(number);
}

export type GradeTone = "green" | "orange" | "grey";

/** The color a grade is shown in: 9 and above green, 7 and above orange, all else grey. */
export function gradeTone(grade: string): GradeTone {
  const number = parseNumericGrade(grade);
  if (number === null || number < GRADE_ORANGE_FROM) return "grey";
  return number >= GRADE_GREEN_FROM ? "green" : "orange";
}

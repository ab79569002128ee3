import { describe, expect, it } from "vitest";
import { gradeTone, parseNumericGrade, type GradeTone } from "./grade.ts";

describe("grades", () => {
  const cases: [string, number | null, GradeTone][] = [
    ["GEM MT 10", 10, "green"],
    ["GEM MINT 10", 10, "green"],
    ["10 PRISTINE", 10, "green"],
    ["MINT+ 9.5", 9.5, "green"],
    ["MINT 9", 9, "green"],
    ["9", 9, "green"],
    ["8.5", 8.5, "orange"],
    ["NM-MT 8", 8, "orange"],
    ["7 NEAR MINT", 7, "orange"],
    ["NM 7", 7, "orange"],
    ["EX-MT 6", 6, "grey"],
    ["VG 3", 3, "grey"],
    ["PR 1", 1, "grey"],
    ["FR 1.5", 1.5, "grey"],
    ["Authentic", null, "grey"],
    ["N/A", null, "grey"],
    ["100", null, "grey"],
    ["", null, "grey"],
  ];
  it.each(cases)("%j is %j and %s", (text, number, tone) => {
    expect(parseNumericGrade(text)).toBe(number);
    expect(gradeTone(text)).toBe(tone);
  });
});

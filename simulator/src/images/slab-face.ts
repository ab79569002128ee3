/** What a drawn slab shows: its label texts and the card. */
export type SlabFace = {
  company: "PSA" | "CGC" | "TAG";
  certNumber: string;
  kind: "tcg" | "sports";
  /** The line above the name: year and set. */
  setLine: string;
  name: string;
  variety: string;
  cardNumber: string;
  year: string;
  /** Grade number and grade text. Either may be "". */
  gradeNumber: string;
  gradeWord: string;
  /** The game or sport, which determines the drawing. */
  theme: string;
  /** TAG's score of up to 1000. */
  score: number | null;
};

/** Splits "NM-MT 8" or "10 GEM MINT" into number and text. */
export function splitGrade(grade: string): { gradeNumber: string; gradeWord: string } {
  const gradeNumber = /\d+(?:\.\d)?/.exec(grade)?.[0] ?? "";
  return { gradeNumber, gradeWord: grade.replace(gradeNumber, "").trim() };
}

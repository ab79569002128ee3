/** What a drawn slab shows: the words on its label and the card inside. */
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
  /** Grade as number and word, either of which may be "". */
  gradeNumber: string;
  gradeWord: string;
  /** The game or sport, which decides how the card is drawn. */
  theme: string;
  /** TAG prints its score of 1000. */
  score: number | null;
};

/** Splits "NM-MT 8" or "10 GEM MINT" into its number and its word. */
export function splitGrade(grade: string): { gradeNumber: string; gradeWord: string } {
  const gradeNumber = /\d+(?:\.\d)?/.exec(grade)?.[0] ?? "";
  return { gradeNumber, gradeWord: grade.replace(gradeNumber, "").trim() };
}

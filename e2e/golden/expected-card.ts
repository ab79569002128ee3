/** A card as the product must show it, by the field mapping for a grader's record. */
export type ExpectedCard = {
  gradingCompany: "PSA" | "CGC" | "TAG";
  certNumber: string;
  itemName: string;
  player: string;
  year: string;
  language: string;
  brand: string;
  cardNumber: string;
  grade: string;
  sport: string;
  variety: string;
  graderNotes: string;
  tagScore: string;
  imageUrl: string;
  imageUrlBack: string;
  certUrl: string;
  inventoryName: string;
  population: number | null;
  populationHigher: number | null;
};

/** A grader's value, or the placeholder. */
export function orMissing(value: string | undefined | null): string {
  return value === undefined || value === null || value === "" ? "N/A" : value;
}

/** The existing parts, joined by single spaces. */
export function together(...parts: (string | undefined | null)[]): string {
  return parts.filter((part) => part !== undefined && part !== null && part !== "").join(" ");
}

export function numbered(cardNumber: string | undefined): string {
  return cardNumber === undefined || cardNumber === "" ? "" : `#${cardNumber}`;
}

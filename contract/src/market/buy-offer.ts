/** The figures that an offer can be a percentage of; `lowest` is the lowest of those a card has. */
export const FIGURES = [
  "cardladderEstimate",
  "averagePrice",
  "medianPrice",
  "lastSalePrice",
  "cardsiqEstimate",
  "lowest",
] as const;
export type Figure = (typeof FIGURES)[number];

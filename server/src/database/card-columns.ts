import { CARD_FIELDS, type CardField, type Population } from "@slabdesk/contract/api/cards.ts";

export const CARD_COLUMNS = {
  itemName: "item_name",
  player: "player_character",
  year: "year",
  language: "language",
  brand: "brand_set",
  cardNumber: "card_number",
  grade: "grade",
  sport: "sport_game",
  variety: "variety",
  graderNotes: "grader_notes",
  tagScore: "tag_score",
  imageUrl: "front_image_url",
  imageUrlBack: "back_image_url",
  certUrl: "cert_url",
  inventoryName: "inventory_name",
} as const satisfies Record<CardField, string>;

export type CardColumn = (typeof CARD_COLUMNS)[CardField];

export function populationColumns({ population, populationHigher, populationAsOf }: Population) {
  return { population, population_higher: populationHigher, population_as_of: populationAsOf };
}
export type PopulationColumns = ReturnType<typeof populationColumns>;

export const CARD_COLUMN_NAMES = [
  ...CARD_FIELDS.map((field) => CARD_COLUMNS[field]),
  "population",
  "population_higher",
  "population_as_of",
] as const satisfies readonly (CardColumn | keyof PopulationColumns)[];

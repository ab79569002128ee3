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

/** The fields of a card's population, with their columns and types. */
export const POPULATION_COLUMNS = [
  ["population", "population", "integer"],
  ["populationHigher", "population_higher", "integer"],
  ["populationAsOf", "population_as_of", "timestamptz"],
] as const satisfies readonly (readonly [keyof Population, string, string])[];

export type PopulationColumns = { [Column in (typeof POPULATION_COLUMNS)[number] as Column[1]]: Population[Column[0]] };

export function populationColumns({ population, populationHigher, populationAsOf }: Population): PopulationColumns {
  return { population, population_higher: populationHigher, population_as_of: populationAsOf };
}

export const CARD_COLUMN_NAMES = [
  ...CARD_FIELDS.map((field) => CARD_COLUMNS[field]),
  ...POPULATION_COLUMNS.map(([, column]) => column),
];

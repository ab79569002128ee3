import { z } from "zod";
import { COMPANIES } from "../certs/company.ts";

export const MODES = ["api-with-fallback", "api", "scraping"] as const;
export const modeSchema = z.enum(MODES);
export type Mode = z.infer<typeof modeSchema>;
export const DEFAULT_MODE: Mode = "api-with-fallback";

export const companySchema = z.enum(COMPANIES);

export const cardSourceSchema = z.enum(["api", "page"]);
export type CardSource = z.infer<typeof cardSourceSchema>;

/** Where a stored card came from: a grader's API or page, or a person who entered it by hand. */
export const storedSourceSchema = z.enum([...cardSourceSchema.options, "hand"]);
export type StoredSource = z.infer<typeof storedSourceSchema>;

/** How many cards have the card's grade, how many a higher one, and when this was read; null is unknown. */
export const populationSchema = z.object({
  population: z.number().int().min(0).nullable(),
  populationHigher: z.number().int().min(0).nullable(),
  populationAsOf: z.string().nullable(),
});
export type Population = z.infer<typeof populationSchema>;
export const NO_POPULATION: Population = { population: null, populationHigher: null, populationAsOf: null };

/** What a grader says about a card, in the order of the results file. */
export const DETAIL_FIELDS = [
  "itemName",
  "player",
  "year",
  "language",
  "brand",
  "cardNumber",
  "grade",
  "sport",
  "variety",
  "graderNotes",
] as const;

/** The card fields that a row stores. The schemas, the database columns and the SQL derive from this list. */
export const CARD_FIELDS = [
  ...DETAIL_FIELDS,
  "tagScore",
  "imageUrl",
  "imageUrlBack",
  "certUrl",
  "inventoryName",
] as const;
export type CardField = (typeof CARD_FIELDS)[number];

export function recordOf<Field extends string, Key extends string, Value>(
  fields: readonly Field[],
  entryOf: (field: Field) => readonly [Key, Value],
): Record<Key, Value>;
export function recordOf(
  fields: readonly string[],
  entryOf: (field: string) => readonly [string, unknown],
): Record<string, unknown> {
  return Object.fromEntries(fields.map(entryOf));
}

/** A card as the grader describes it, with decoded entities and "N/A" for missing values. `imageUrl` is the front. */
export const cardSchema = z.object({
  ...recordOf(CARD_FIELDS, (field) => [field, z.string()]),
  ...populationSchema.shape,
  certNumber: z.string(),
  gradingCompany: companySchema,
  ...recordOf(["cardSet", "cardName", "game", "variant1", "tagScore", "tagGrade", "setName"], (field) => [
    field,
    z.string().optional(),
  ]),
});
export type Card = z.infer<typeof cardSchema>;

/** The response of the single-card routes: the card, its source and notes for staff. */
export const cardAnswerSchema = cardSchema.extend({ source: storedSourceSchema, notes: z.string() });
export type CardAnswer = z.infer<typeof cardAnswerSchema>;

/** The query of the single-card routes. `forceRefresh=false` allows a cached cert. */
export const cardQuerySchema = z.object({
  includeFrontAndBack: z.stringbool().default(true),
  forceRefresh: z.stringbool().default(true),
});

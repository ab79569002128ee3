import { z } from "zod";
import { COMPANIES } from "../certs/company.ts";

/** SPEC's three data sources by their values. */
export const MODES = ["api-with-fallback", "api", "scraping"] as const;
export const modeSchema = z.enum(MODES);
export type Mode = z.infer<typeof modeSchema>;
export const DEFAULT_MODE: Mode = "api-with-fallback";

export const companySchema = z.enum(COMPANIES);

/** Where a card's details came from. */
export const cardSourceSchema = z.enum(["api", "page"]);
export type CardSource = z.infer<typeof cardSourceSchema>;

/**
 * One card as a grader describes it. Missing values are "N/A"; white space is folded and HTML entities are decoded,
 * text is otherwise as the grader prints it. `imageUrl` is the front.
 */
export const cardSchema = z.object({
  itemName: z.string(),
  player: z.string(),
  year: z.string(),
  brand: z.string(),
  cardNumber: z.string(),
  grade: z.string(),
  sport: z.string(),
  variety: z.string(),
  language: z.string(),
  graderNotes: z.string(),
  imageUrl: z.string(),
  imageUrlBack: z.string(),
  certUrl: z.string(),
  certNumber: z.string(),
  gradingCompany: companySchema,
  inventoryName: z.string(),
  cardSet: z.string().optional(),
  cardName: z.string().optional(),
  game: z.string().optional(),
  variant1: z.string().optional(),
  tagScore: z.string().optional(),
  tagGrade: z.string().optional(),
  setName: z.string().optional(),
});
export type Card = z.infer<typeof cardSchema>;

/** The answer of the single-card routes: the card, where it came from, and what staff should know about it. */
export const cardAnswerSchema = cardSchema.extend({ source: cardSourceSchema, notes: z.string() });
export type CardAnswer = z.infer<typeof cardAnswerSchema>;

/** SPEC's query of the single-card routes. Both values are accepted as SPEC sends them; `forceRefresh=false` allows a known card. */
export const cardQuerySchema = z.object({
  includeFrontAndBack: z.stringbool().default(true),
  forceRefresh: z.stringbool().default(true),
});

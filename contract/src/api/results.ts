import { z } from "zod";
import { MAX_SHEET_ROWS } from "../sheet/csv.ts";
import { storableText } from "../sheet/text.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { cardsiqSchema, pricingSchema, rowPriceSchema } from "./prices.ts";

/** A row's way: pending → processing → completed | error; the other four belong to PSA's retry queue and to waits (DESIGN section 4). */
export const ROW_STATUSES = [
  "pending",
  "processing",
  "completed",
  "error",
  "queued",
  "completed_retry",
  "failed",
  "waiting",
] as const;
export const rowStatusSchema = z.enum(ROW_STATUSES);
export type RowStatus = z.infer<typeof rowStatusSchema>;

/** Rows in these states are done: they count as processed and are never looked up again by themselves. */
export const SETTLED_STATUSES = [
  "completed",
  "error",
  "completed_retry",
  "failed",
] as const satisfies readonly RowStatus[];

/** What is wrong with a found card's pictures; `same_sides`: front and back are one picture. */
export const IMAGE_FLAGS = ["no_image", "one_side", "same_sides"] as const;
export const imageFlagSchema = z.enum(IMAGE_FLAGS);
export type ImageFlag = z.infer<typeof imageFlagSchema>;

/**
 * One row of a scan session. Card fields are null until the row settles, then text ("N/A" where the grader has no
 * value). `gradingCompany` and `certNumber` are as typed when the row is invalid. `price` is dollars, null when the
 * cell is empty or no amount; `priceText` is the cell as typed. `warnings` are words about what was repaired. A waiting
 * row says in `outcome` and `error` why it waits, and in `waitingUntil` until when. `pricing` and `cardsiq` are the prices
 * now, `pricingThen` and `cardsiqThen` the first ones, once they were fetched anew (without sparkline). `lookedAt` is
 * when somebody said that the row needs no further look.
 */
export const resultRowSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  line: z.number().int(),
  status: rowStatusSchema,
  outcome: outcomeCodeSchema.nullable(),
  waitingUntil: z.string().nullable(),
  source: z.enum(["api", "page", "known"]).nullable(),
  certNumber: z.string(),
  gradingCompany: z.string(),
  itemName: z.string().nullable(),
  player: z.string().nullable(),
  year: z.string().nullable(),
  language: z.string().nullable(),
  brand: z.string().nullable(),
  cardNumber: z.string().nullable(),
  grade: z.string().nullable(),
  sport: z.string().nullable(),
  variety: z.string().nullable(),
  graderNotes: z.string().nullable(),
  tagScore: z.string().nullable(),
  imageUrl: z.string().nullable(),
  imageUrlBack: z.string().nullable(),
  certUrl: z.string().nullable(),
  price: z.number().nullable(),
  priceText: z.string(),
  customerPrice: z.string(),
  inventoryName: z.string().nullable(),
  notes: z.string(),
  error: z.string().nullable(),
  pricing: pricingSchema.nullable(),
  cardsiq: cardsiqSchema.nullable(),
  pricingThen: pricingSchema.nullable(),
  cardsiqThen: cardsiqSchema.nullable(),
  prices: z.object({ cardladder: rowPriceSchema, cardsiq: rowPriceSchema }),
  warnings: z.array(z.string()),
  mismatches: z.array(z.string()),
  imageFlags: z.array(imageFlagSchema),
  reviewedAt: z.string().nullable(),
  processedAt: z.string().nullable(),
});
export type ResultRow = z.infer<typeof resultRowSchema>;

/** `since` asks for rows that changed after that `eventSeq` instead of a page by cursor. */
export const resultsQuerySchema = z.object({
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(5000).default(500),
  since: z.coerce.number().int().min(0).optional(),
});

/** `eventSeq` is the session's state these rows show at least; an event stream opened after it misses nothing. */
export const resultsPageSchema = z.object({
  results: z.array(resultRowSchema),
  nextCursor: z.string().nullable(),
  eventSeq: z.number().int(),
});
export type ResultsPage = z.infer<typeof resultsPageSchema>;

/** A failed row with its number put right; the company stays unless it is given. */
export const rowChangeSchema = z.object({
  certNumber: z.string().max(200).overwrite(storableText),
  gradingCompany: z.string().max(200).overwrite(storableText).optional(),
});

/** Rows of one session, by id. */
export const rowIdsSchema = z
  .array(z.string().regex(/^\d{1,15}$/))
  .min(1)
  .max(MAX_SHEET_ROWS);

/** Says of rows that they need no further look, or takes that back. */
export const reviewedSchema = z.object({ rowIds: rowIdsSchema, isReviewed: z.boolean() });
export const changedRowsSchema = z.object({ results: z.array(resultRowSchema) });

export const swapImagesSchema = z.object({ swap: z.literal(true) });

export const imageQuerySchema = z.object({ width: z.coerce.number().int().min(16).max(4000).optional() });
export const imageSideSchema = z.enum(["front", "back"]);
export type ImageSide = z.infer<typeof imageSideSchema>;

import { z } from "zod";
import { storableText } from "../certs/text.ts";
import { MAX_SHEET_ROWS } from "./sheet-format.ts";
import { CARD_FIELDS, DEFAULT_MODE, modeSchema, populationSchema, recordOf, storedSourceSchema } from "./cards.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { cardsiqSchema, pricingSchema, rowPriceSchema } from "./prices.ts";
import { oneCertNumberSchema } from "./typed-text.ts";

/** A card field without a value. */
export const NOT_AVAILABLE = "N/A";

/** pending → processing → completed or error. The others belong to PSA's retry queue and to waits. */
export const rowStatusSchema = z.enum([
  "pending",
  "processing",
  "completed",
  "error",
  "queued",
  "completed_retry",
  "failed",
  "waiting",
]);
export type RowStatus = z.infer<typeof rowStatusSchema>;

/** Rows in these statuses count as processed and are never looked up again automatically. */
export const SETTLED_STATUSES = rowStatusSchema.extract(["completed", "error", "completed_retry", "failed"]).options;

/** Problems with a found card's images. `same_sides`: front and back are the same image. */
export const imageFlagSchema = z.enum(["no_image", "one_side", "same_sides"]);
export type ImageFlag = z.infer<typeof imageFlagSchema>;

export const LONGEST_ITEM_NAME = 300;
const LONGEST_FIELD = 100;

/** At least one visible character: \p{Cf} are invisible ones, such as a zero-width space. */
const VISIBLE = /[^\s\p{Cf}]/u;

function textUpTo(length: number) {
  return z
    .string()
    .overwrite((text) => storableText(text).replace(/\s+/gu, " ").trim())
    .max(length, `Enter at most ${length} characters`);
}

/** What a person types from a slab. Only the name is required; a field without a value is "". */
export const entryCardSchema = z.object({
  itemName: textUpTo(LONGEST_ITEM_NAME).regex(VISIBLE, "Enter the card's name"),
  year: textUpTo(LONGEST_FIELD).regex(/^(?:\d{4}(?:-\d{2})?)?$/u, "Enter a year like 1999, or a season like 1999-00"),
  brand: textUpTo(LONGEST_ITEM_NAME),
  cardNumber: textUpTo(LONGEST_FIELD),
  grade: textUpTo(LONGEST_FIELD),
  population: z.number("Enter a whole number").int("Enter a whole number").min(0).max(999_999_999).nullable(),
});
export type EntryCard = z.infer<typeof entryCardSchema>;

/** A card entered by hand: who entered it, when, and what they typed. */
export const entrySchema = z.object({ by: z.string(), at: z.string(), card: entryCardSchema });
export type Entry = z.infer<typeof entrySchema>;

/**
 * One row of a scan session. Card fields are null until the row settles, then text ("N/A" if the grader has no value).
 * If the row is invalid, `gradingCompany` and `certNumber` are as typed. `price` is dollars, null if the cell is empty
 * or isn't an amount; `priceText` is the cell as typed. `ownOffer` is dollars that a user typed instead of the offer of
 * the session's rule. `notes` combines `sheetNotes`, which a user can change, with the note of the lookup. `warnings`
 * describe repairs. For a waiting row, `outcome` and `error` give the reason and `waitingUntil` the end of the wait.
 * `pricing` and `cardsiq` are the current prices, `pricingThen` and `cardsiqThen` the first ones (without sparkline),
 * set once the prices were refreshed.
 * `source` is `known` for a row filled from the cache. `entry` is set if the row's card was entered by hand, in this row
 * (`source` is `hand`) or in the cached cert; a row that is looked up again keeps it until the grader answers.
 * `reviewedAt` is when a user marked the row as reviewed.
 */
export const resultRowSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  line: z.number().int(),
  status: rowStatusSchema,
  outcome: outcomeCodeSchema.nullable(),
  waitingUntil: z.string().nullable(),
  source: z.enum([...storedSourceSchema.options, "known"]).nullable(),
  entry: entrySchema.nullable(),
  certNumber: z.string(),
  gradingCompany: z.string(),
  ...recordOf(CARD_FIELDS, (field) => [field, z.string().nullable()]),
  ...populationSchema.shape,
  price: z.number().nullable(),
  priceText: z.string(),
  customerPrice: z.string(),
  ownOffer: z.number().nullable(),
  notes: z.string(),
  sheetNotes: z.string(),
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

/** `since` returns the rows changed after that `eventSeq` instead of a page. */
export const resultsQuerySchema = z.object({
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(5000).default(500),
  since: z.coerce.number().int().min(0).optional(),
});

/** The rows are at least as new as `eventSeq`. An event stream that starts there misses no change. */
export const resultsPageSchema = z.object({
  results: z.array(resultRowSchema),
  nextCursor: z.string().nullable(),
  eventSeq: z.number().int(),
});
export type ResultsPage = z.infer<typeof resultsPageSchema>;

/** Corrects a failed row's number. The company changes only if given. */
export const rowChangeSchema = z.object({
  certNumber: oneCertNumberSchema,
  gradingCompany: z.string().max(200).overwrite(storableText).optional(),
});

const ROW_ID = /^\d{1,15}$/;
const areRowIds = (ids: unknown): ids is string[] =>
  Array.isArray(ids) &&
  ids.length >= 1 &&
  ids.length <= MAX_SHEET_ROWS &&
  ids.every((id) => typeof id === "string" && ROW_ID.test(id));

/** Ids of rows as text. One check for all, because zod's checks of single items are slow for 100,000 of them. */
export const rowIdsSchema = z
  .custom<string[]>(areRowIds, { error: "must be ids of 1 to 100,000 rows: up to 15 digits each" })
  .meta({
    type: "array",
    items: { type: "string", pattern: ROW_ID.source },
    minItems: 1,
    maxItems: MAX_SHEET_ROWS,
  });

export const LONGEST_NOTES = 2_000;

/** An amount in dollars as a user types it. Empty or null: none. */
const typedAmountSchema = z.union([z.string().max(200).overwrite(storableText), z.number()]).nullable();

/** Changes what the user knows of rows: what they cost, the own offers for them, and the notes. */
export const rowEditSchema = z
  .object({
    rowIds: rowIdsSchema,
    cost: typedAmountSchema.optional(),
    offer: typedAmountSchema.optional(),
    notes: z.string().max(LONGEST_NOTES).overwrite(storableText).trim().optional(),
  })
  .refine(({ cost, offer, notes }) => [cost, offer, notes].some((change) => change !== undefined), {
    error: "needs cost, offer, or notes",
  });
export type RowEdit = z.infer<typeof rowEditSchema>;

export const reviewedSchema = z.object({ rowIds: rowIdsSchema, isReviewed: z.boolean() });
export const changedRowsSchema = z.object({ results: z.array(resultRowSchema) });

export const swapImagesSchema = z.object({ swap: z.literal(true) });

export const imageQuerySchema = z.object({ width: z.coerce.number().int().min(16).max(4000).optional() });
export const imageSideSchema = z.enum(["front", "back"]);
export type ImageSide = z.infer<typeof imageSideSchema>;

export const retryPsaSchema = z.object({
  certNumber: oneCertNumberSchema,
  price: z.union([z.string().max(200).overwrite(storableText), z.number()]).nullish(),
  notes: z.string().max(32_767).overwrite(storableText).nullish(),
  apiMode: modeSchema.default(DEFAULT_MODE),
});

/** `jobId` is the row's id, so the status of any row can be requested. */
export const queuedJobSchema = z.object({ jobId: z.string() });

/** `completed` has the row in `result`; `failed` has a message in `error`. All other statuses are transient. */
export const queueJobSchema = z.object({
  jobId: z.string(),
  status: z.enum(["queued", "processing", "waiting", "pending", "completed", "failed"]),
  result: resultRowSchema.nullable(),
  error: z.string().nullable(),
});
export type QueueJob = z.infer<typeof queueJobSchema>;

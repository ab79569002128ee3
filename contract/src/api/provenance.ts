import { z } from "zod";
import { cardSourceSchema } from "./cards.ts";
import { colleagueLookUpSchema, ownLookUpSchema } from "./lookup-history.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { priceSourceSchema } from "./prices.ts";
import { resultRowSchema } from "./results.ts";

/**
 * One attempt at a row's card. A `fresh` one asked a source; `durationMs` is how long its answer took. A `cached` one
 * took what an earlier look-up had brought: `fetchedAt` says when that was. A `duplicate` took the answer with another row of
 * its session: `line` says which.
 */
export const lookUpSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("fresh"),
    at: z.string(),
    source: cardSourceSchema,
    durationMs: z.number().int(),
    outcome: outcomeCodeSchema,
    message: z.string(),
  }),
  z.object({ kind: z.literal("cached"), at: z.string(), source: cardSourceSchema, fetchedAt: z.string() }),
  z.object({ kind: z.literal("duplicate"), at: z.string(), line: z.number().int() }),
]);
export type LookUp = z.infer<typeof lookUpSchema>;

/** A price that was fetched for a row: the estimate and the last sale in dollars, `words` where there was none. */
export const quoteThenSchema = z.object({
  source: priceSourceSchema,
  fetchedAt: z.string(),
  estimate: z.number().nullable(),
  lastSalePrice: z.number().nullable(),
  message: z.string(),
});
export type QuoteThen = z.infer<typeof quoteThenSchema>;

/**
 * Why a row is what it is: the line as it was uploaded, what was repaired (`row.warnings`), each attempt, the prices as
 * they were, oldest first, and what is remembered of the card, newest first.
 */
export const provenanceSchema = z.object({
  row: resultRowSchema,
  sessionName: z.string(),
  csvFilename: z.string(),
  processingMode: z.string(),
  header: z.array(z.string()),
  cells: z.array(z.string()),
  createdAt: z.string(),
  lookUps: z.array(lookUpSchema),
  quotes: z.array(quoteThenSchema),
  lookupHistory: z.object({
    own: z.array(ownLookUpSchema),
    colleagues: z.array(colleagueLookUpSchema),
    isTwiceOpen: z.boolean(),
  }),
});
export type Provenance = z.infer<typeof provenanceSchema>;

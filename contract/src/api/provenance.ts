import { z } from "zod";
import { cardSourceSchema, storedSourceSchema } from "./cards.ts";
import { colleagueLookUpSchema, ownLookUpSchema } from "./lookup-history.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { priceSourceSchema } from "./prices.ts";
import { resultRowSchema } from "./results.ts";

/**
 * An attempt: a `fresh` one called a source in `durationMs`, a `cached` one used the result from `fetchedAt`, a
 * `duplicate` one shared the lookup of the session's row at `line`. Someone `entered` the card by hand, or removed that entry.
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
  z.object({
    kind: z.literal("cached"),
    at: z.string(),
    source: storedSourceSchema,
    fetchedAt: z.string(),
    by: z.string().optional(),
  }),
  z.object({ kind: z.literal("duplicate"), at: z.string(), line: z.number().int() }),
  z.object({ kind: z.enum(["entered", "entry_removed"]), at: z.string(), by: z.string() }),
]);
export type LookUp = z.infer<typeof lookUpSchema>;

/** A price fetched for a row: the estimate and the last sale in dollars. `message` says why there was none. */
export const quoteThenSchema = z.object({
  source: priceSourceSchema,
  fetchedAt: z.string(),
  estimate: z.number().nullable(),
  lastSalePrice: z.number().nullable(),
  message: z.string(),
});
export type QuoteThen = z.infer<typeof quoteThenSchema>;

/** What happened to a row. `row.warnings` has the repairs, `quotes` is oldest first, `lookupHistory` newest first. */
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

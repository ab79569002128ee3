import { z } from "zod";
import { MAX_SHEET_ROWS } from "../sheet/csv.ts";
import { cardSourceSchema, companySchema } from "./cards.ts";
import { planLookupHistorySchema } from "./lookup-history.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { pricePlanSchema } from "./prices.ts";
import { newSheetRowSchema, runOptionsSchema } from "./sessions.ts";

/** The same rows and options as a session; `cells`, `price` and `notes` may be left out, as they change nothing. */
export const scanPlanRequestSchema = runOptionsSchema.extend({
  rows: z.array(newSheetRowSchema).min(1).max(MAX_SHEET_ROWS),
});
export type ScanPlanRequest = z.input<typeof scanPlanRequestSchema>;

/** Lines of a sheet as ranges, both ends included: `[[2, 5], [9, 9]]`. */
export const lineRangesSchema = z.array(z.tuple([z.number().int(), z.number().int()]));

/**
 * What a sheet would do if it were started now. Every row is in exactly one of `counts`: `known` rows are filled at
 * once, `duplicate` rows are filled by the look-up of an earlier row, `ready` rows cost a look-up each, `damaged` rows
 * become errors. Times are ISO 8601 in UTC.
 */
export const scanPlanSchema = z.object({
  totalRows: z.number().int(),
  counts: z.object({
    ready: z.number().int(),
    known: z.number().int(),
    duplicate: z.number().int(),
    damaged: z.number().int(),
  }),
  /** Calls by lane if every look-up succeeds at the first source that is asked. */
  calls: z.object({ psa: z.number().int(), cgc: z.number().int(), tag: z.number().int() }),
  /** The same by source; `cards` are look-ups. */
  sources: z.array(
    z.object({
      company: companySchema,
      source: cardSourceSchema,
      cards: z.number().int(),
      calls: z.number().int(),
    }),
  ),
  /** PSA's daily API calls left before and after the run; null for those who may not see it (SPEC section 6). */
  quota: z
    .object({
      before: z.number().int(),
      after: z.number().int(),
      total: z.number().int(),
      resetsAt: z.string().nullable(),
    })
    .nullable(),
  /** Rows that will wait before they are looked up, why, in words for staff, and until when; null while an administrator has paused it. */
  waits: z.array(
    z.object({
      company: companySchema,
      outcome: outcomeCodeSchema,
      rows: z.number().int(),
      lines: lineRangesSchema,
      until: z.string().nullable(),
      message: z.string(),
    }),
  ),
  /** Rows that will fail because the source they ask is not set up, in words for staff. */
  notConfigured: z.array(z.object({ company: companySchema, rows: z.number().int(), message: z.string() })),
  /** One for each price source when prices are asked for, else none. A source that is not on is never called. */
  prices: z.array(pricePlanSchema),
  /** Which of its cards were looked up here before, and which stand in another open session. */
  lookupHistory: planLookupHistorySchema,
  /** Minutes of looking up at today's pacing, behind the cards that wait already; waits not counted. Prices come in parallel. */
  minutes: z.number(),
  /** When the last row settles, waits included; as if what an administrator has paused were opened now. */
  endsAt: z.string(),
});
export type ScanPlan = z.infer<typeof scanPlanSchema>;

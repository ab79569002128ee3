import { z } from "zod";
import { cardSourceSchema, companySchema } from "./cards.ts";
import { planLookupHistorySchema } from "./lookup-history.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { pricePlanSchema, wallSchema } from "./prices.ts";
import { newScanSessionSchema, runOptionsSchema } from "./sessions.ts";

/** The rows and options of a session. `cells`, `price` and `notes` may be left out; they don't affect the plan. */
export const scanPlanRequestSchema = runOptionsSchema.extend({ rows: newScanSessionSchema.shape.rows });
export type ScanPlanRequest = z.input<typeof scanPlanRequestSchema>;

const count = z.number().int();

/** Line ranges of a sheet, both ends included: `[[2, 5], [9, 9]]`. */
export const lineRangesSchema = z.array(z.tuple([count, count]));

/**
 * What would happen now. `counts` has every row once: `known` rows use a cached cert, `duplicate` rows share an earlier
 * row's lookup, `ready` rows need one each, `toFix` rows become errors. Times are ISO 8601 in UTC.
 */
export const scanPlanSchema = z.object({
  totalRows: count,
  counts: z.object({ ready: count, known: count, duplicate: count, toFix: count }),
  knownLines: lineRangesSchema,
  /** Calls by lane if every lookup succeeds at the first source. */
  calls: z.object({ psa: count, cgc: count, tag: count }),
  /** The same calls by source. `cards` counts lookups. */
  sources: z.array(z.object({ company: companySchema, source: cardSourceSchema, cards: count, calls: count })),
  /** PSA's remaining daily API calls before and after the run. Null for users who may not see the quota. */
  quota: z
    .object({ before: count, after: count, total: count, isConfirmed: z.boolean(), resetsAt: z.string().nullable() })
    .nullable(),
  /**
   * What a lower limit of PSA's API would mean; empty if PSA has named its limit, or if nothing would change. Of `cards`,
   * `today` are looked up by API in the current window and `byPage` on the page; the others wait, the last until `endsAt`.
   */
  ifLimited: z.array(
    z.object({ perDay: count, cards: count, today: count, byPage: count, endsAt: z.string().nullable() }),
  ),
  /** Rows that wait before their lookup. `message` is the reason. `until` is null during a manual pause. */
  waits: z.array(
    z.object({
      company: companySchema,
      outcome: outcomeCodeSchema,
      rows: count,
      lines: lineRangesSchema,
      until: z.string().nullable(),
      message: z.string(),
    }),
  ),
  /**
   * Rows that would fail, because every source of their company has refused us since `since` and no other is left.
   * `source` and `outcome` are those that someone can act on. `isProbed`: the first card checks whether it still refuses.
   */
  walls: z.array(wallSchema.extend({ company: companySchema, source: cardSourceSchema, rows: count })),
  /** Rows that will fail because their source isn't configured. */
  notConfigured: z.array(z.object({ company: companySchema, rows: count, message: z.string() })),
  /** One entry per price source if prices are requested, else empty. A source with `isOn: false` is never called. */
  prices: z.array(pricePlanSchema),
  lookupHistory: planLookupHistorySchema,
  /** Minutes of lookups at today's pace, after the cards already queued, without waits and prices. */
  minutes: z.number(),
  /** When the last row settles, waits included. Assumes that manual pauses end now. */
  endsAt: z.string(),
});
export type ScanPlan = z.infer<typeof scanPlanSchema>;

import { z } from "zod";
import { storableText } from "../sheet/text.ts";
import { companySchema } from "./cards.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { sessionListSchema } from "./sessions.ts";

/** SPEC section 9. */
export const ADMIN_CACHE_MS = 30_000;
export const ADMIN_REFRESH_MS = 60_000;
export const ADMIN_SESSIONS = 50;
export const RECENT_ACTIVITY = 5;
/** How far back the charts look, today included. */
export const CHART_DAYS = 90;

const count = z.number().int();

/**
 * SPEC's admin stats. A scan is a row that came to an end; it is a success without a processing error. `successRate` is
 * a rounded percent, 0 without scans; `todayActivity` counts from the start of the current UTC day.
 */
export const adminStatsSchema = z.object({
  userCount: count,
  sessionCount: count,
  scanCount: count,
  successCount: count,
  successRate: count,
  todayActivity: count,
});
export type AdminStats = z.infer<typeof adminStatsSchema>;

/** A company of ours; "other": a row of none of them. */
export const chartCompanySchema = z.enum([...companySchema.options, "other"]);
export type ChartCompany = z.infer<typeof chartCompanySchema>;

/** An upstream; PSA's pages by themselves, as its limit counts the calls of its API alone. */
export const CHART_SOURCES = ["psa", "psa-page", "cgc", "tag", "cardladder", "cardsiq"] as const;
export const chartSourceSchema = z.enum(CHART_SOURCES);
export type ChartSource = z.infer<typeof chartSourceSchema>;

/**
 * What the charts show, of the last `CHART_DAYS` days (UTC), oldest first, days without anything left out. `value` is the
 * market value of the cards that came to an end that day, in dollars; `calls` are calls to an upstream; `quotas` are
 * calls a day where there is a limit. `people` are those with most cards.
 */
export const adminChartsSchema = z.object({
  from: z.string(),
  to: z.string(),
  days: z.array(z.object({ day: z.string(), company: chartCompanySchema, cards: count, value: z.number() })),
  causes: z.array(z.object({ outcome: outcomeCodeSchema, cards: count })),
  people: z.array(z.object({ userId: z.string(), fullName: z.string(), email: z.string(), cards: count })),
  calls: z.array(z.object({ day: z.string(), source: chartSourceSchema, calls: count })),
  quotas: z.partialRecord(chartSourceSchema, count),
});
export type AdminCharts = z.infer<typeof adminChartsSchema>;

const FIRST_DAY = "0001-01-01";

/** What a mark of a chart stands for: sessions with a row of this company, outcome, day (UTC) and owner. */
export const adminSessionsQuerySchema = z.object({
  userId: z.string().max(100).overwrite(storableText).optional(),
  day: z.iso
    .date()
    .refine((day) => day >= FIRST_DAY, { error: "is no day of our calendar" })
    .optional(),
  company: chartCompanySchema.optional(),
  outcome: outcomeCodeSchema.optional(),
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(ADMIN_SESSIONS),
});
export type AdminSessionsQuery = z.input<typeof adminSessionsQuerySchema>;
/** Everybody's sessions, newest first, each with its `owner`. */
export const adminSessionListSchema = sessionListSchema;

export const sessionDeletedSchema = z.object({ success: z.literal(true), deletedResults: count });

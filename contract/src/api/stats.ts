import { z } from "zod";
import { storableText } from "../certs/text.ts";
import { companySchema, modeSchema } from "./cards.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { scanSessionSchema, sessionListSchema, sessionOwnerSchema } from "./sessions.ts";

/** How long the browser caches admin data, and how often it refreshes the data. */
export const ADMIN_CACHE_MS = 30_000;
export const ADMIN_REFRESH_MS = 60_000;
export const RECENT_ACTIVITY = 5;
export const CHART_DAYS = 90;

const count = z.number().int();

/** A scan is a settled row; it succeeds without an error. `successRate` is a whole percentage, 0 without scans. */
export const adminStatsSchema = z.object({
  userCount: count,
  sessionCount: count,
  scanCount: count,
  successCount: count,
  successRate: count,
  todayActivity: count,
});
export type AdminStats = z.infer<typeof adminStatsSchema>;

export const chartCompanySchema = z.enum([...companySchema.options, "other"]);
export type ChartCompany = z.infer<typeof chartCompanySchema>;

/** An upstream. PSA's pages are separate because PSA's quota counts only API calls. */
export const CHART_SOURCES = ["psa", "psa-page", "cgc", "tag", "cardladder", "cardsiq"] as const;
export const chartSourceSchema = z.enum(CHART_SOURCES);
export type ChartSource = z.infer<typeof chartSourceSchema>;

/**
 * The last `CHART_DAYS` days (UTC), oldest first, without days that have no data. `value`: of the cards settled that
 * day, in dollars. `quotas`: daily call limits, if any. `people`: the users with the most cards.
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

/** PostgreSQL has no year 0. */
const storableDay = z.iso.date().refine((day) => day >= "0001-01-01", { error: "is not a valid date" });

/** The filter behind a chart mark: sessions with a row of this company, outcome, day (UTC) and owner. */
export const adminSessionsQuerySchema = z.object({
  userId: z.string().max(100).overwrite(storableText).optional(),
  day: storableDay.optional(),
  company: chartCompanySchema.optional(),
  outcome: outcomeCodeSchema.optional(),
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type AdminSessionsQuery = z.input<typeof adminSessionsQuerySchema>;
/** A session with its owner. `api_mode` is its `processingMode` (docs/conformance.md, 3.3-08). */
const adminSessionSchema = scanSessionSchema.extend({ owner: sessionOwnerSchema, api_mode: modeSchema });
export type AdminSession = z.infer<typeof adminSessionSchema>;

export const adminSessionListSchema = sessionListSchema.extend({ sessions: z.array(adminSessionSchema) });

export const sessionDeletedSchema = z.object({ success: z.literal(true), deletedResults: count });

import { z } from "zod";

/** SPEC section 9. */
export const LOW_QUOTA = 500;

/**
 * SPEC's quota info: PSA's API calls of the running window of 24 hours. `lastReset` is when that window began, null
 * before the first call; `noAccess` says that no token is set; `error` says why PSA's API is not asked at the moment.
 */
export const quotaStatusSchema = z.object({
  remainingQuota: z.number().int(),
  totalQuota: z.number().int(),
  lastReset: z.string().nullable(),
  usedToday: z.number().int(),
  lastUpdated: z.string(),
  noAccess: z.boolean(),
  error: z.string().nullable(),
  /** PSA has refused for lack of quota, or none is left: until then nothing is asked. */
  limitedUntil: z.string().nullable(),
});
export type QuotaStatus = z.infer<typeof quotaStatusSchema>;

export const quotaQuerySchema = z.object({ forceRefresh: z.string().optional(), t: z.string().optional() });

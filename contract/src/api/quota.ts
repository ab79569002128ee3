import { z } from "zod";

/** The browser warns below this number of remaining calls. */
export const LOW_QUOTA = 500;

/**
 * PSA's API calls in the current 24-hour window. `lastReset` is the window's start, null before the first call.
 * `noAccess` means that no token is set. `error` says why PSA's API isn't called at the moment.
 */
export const quotaStatusSchema = z.object({
  remainingQuota: z.number().int(),
  totalQuota: z.number().int(),
  /** Whether PSA has named its limit. Until then `totalQuota` is the setting's assumption. */
  isConfirmed: z.boolean(),
  lastReset: z.string().nullable(),
  usedToday: z.number().int(),
  lastUpdated: z.string(),
  noAccess: z.boolean(),
  error: z.string().nullable(),
  /** PSA rejected a call because of its quota, or no calls remain. PSA's API isn't called until this time. */
  limitedUntil: z.string().nullable(),
});
export type QuotaStatus = z.infer<typeof quotaStatusSchema>;

export const quotaQuerySchema = z.object({ forceRefresh: z.string().optional(), t: z.string().optional() });

import type { QuotaExhausted } from "../grader.ts";
import { retryAfter } from "../upstream-answers.ts";
import type { Answered } from "../upstream-answers.ts";

export const CGC_API = { company: "CGC", part: "API" } as const;

/** The wait without a `Retry-After`. The dealer API limits the rate, not the calls per day. */
const SHORT_WAIT_MS = 60_000;

export function rateLimited(answer: Answered, now: Date): QuotaExhausted {
  return {
    code: "quota_exhausted",
    message: "CGC's API asks us to wait (rate limit)",
    until: retryAfter(answer, now) ?? new Date(now.getTime() + SHORT_WAIT_MS),
    limit: null,
  };
}

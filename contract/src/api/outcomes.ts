import { z } from "zod";

type Outcome = { status: number; retryable: boolean; group: "ok" | "not_found" | "outage" | "to_fix"; title: string };

/**
 * The outcomes of one lookup. A blocked or broken response is never "not found". `status`: of the single-card routes,
 * never 401 or 403, which refer to the auth session. `retryable`: a retry of a session looks up these rows again.
 * `group`: "outage" failures end by themselves, "to_fix" failures need a person, "not_found" is final.
 */
export const OUTCOMES = {
  found: { status: 200, retryable: false, group: "ok", title: "Found" },
  not_found: { status: 404, retryable: false, group: "not_found", title: "Not found" },
  invalid_row: { status: 400, retryable: false, group: "to_fix", title: "Row incomplete" },
  invalid_number: { status: 400, retryable: false, group: "to_fix", title: "Invalid number" },
  blocked: { status: 502, retryable: true, group: "outage", title: "Blocked" },
  quota_exhausted: { status: 429, retryable: true, group: "outage", title: "Quota used up" },
  timeout: { status: 504, retryable: true, group: "outage", title: "Timed out" },
  unavailable: { status: 502, retryable: true, group: "outage", title: "Unavailable" },
  not_configured: { status: 503, retryable: true, group: "to_fix", title: "Not configured" },
  forbidden: { status: 502, retryable: true, group: "to_fix", title: "Credentials refused" },
} satisfies Record<string, Outcome>;
export type OutcomeCode = keyof typeof OUTCOMES;
export const OUTCOME_CODES = Object.keys(OUTCOMES).filter((code): code is OutcomeCode => code in OUTCOMES);
export const outcomeCodeSchema = z.enum(OUTCOME_CODES);

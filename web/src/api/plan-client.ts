import { type ScanPlan, scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { type QuotaStatus, quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import { request } from "./http.ts";

/** As for the start of a run: a large sheet takes its time to arrive. */
const PLAN_TIMEOUT_MS = 120_000;

/**
 * What a sheet would do if it were started now; nothing is started or stored. `plan` is the request as JSON, written
 * away from the page: see `startScanSession`. An abort by `signal` throws its DOMException.
 */
export function createScanPlan(plan: Blob, signal: AbortSignal): Promise<ScanPlan> {
  return request(scanPlanSchema, "scan-plans", { method: "post", body: plan, signal, timeout: PLAN_TIMEOUT_MS });
}

/** How PSA's daily calls stand, asked as SPEC asks. Administrators only: others lose their session by asking. */
export function getQuotaStatus(signal: AbortSignal): Promise<QuotaStatus> {
  return request(quotaStatusSchema, "psa-quota-status", {
    searchParams: { forceRefresh: "true", t: Date.now() },
    signal,
  });
}

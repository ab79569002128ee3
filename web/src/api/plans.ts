import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { request } from "./http.ts";

/** The same as for starting a run: a large sheet takes time to upload. */
const PLAN_TIMEOUT_MS = 120_000;

/** Plans a sheet without storing anything. `plan` is the JSON body (see `startScanSession`). */
export const createScanPlan = (plan: Blob, signal: AbortSignal) =>
  request(scanPlanSchema, "scan-plans", { method: "post", body: plan, signal, timeoutMs: PLAN_TIMEOUT_MS });

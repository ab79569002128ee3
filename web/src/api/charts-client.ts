import { type AdminCharts, adminChartsSchema } from "@slabdesk/contract/api/stats.ts";
import { request } from "./http.ts";

/** Data for the admin charts, covering the last 90 days. */
export function getAdminCharts(signal: AbortSignal): Promise<AdminCharts> {
  return request(adminChartsSchema, "admin/charts", { signal });
}

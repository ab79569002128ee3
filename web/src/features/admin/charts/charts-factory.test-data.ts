import type { AdminCharts } from "@slabdesk/contract/api/stats.ts";

/** Three-day charts with the given entries. */
export function someCharts(fields: Partial<AdminCharts> = {}): AdminCharts {
  return { from: "2026-11-19", to: "2026-11-21", days: [], causes: [], people: [], calls: [], quotas: {}, ...fields };
}

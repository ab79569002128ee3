import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS, adminChartsSchema, adminStatsSchema } from "@slabdesk/contract/api/stats.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";

/** Options of the admin tab's queries, which are polled. */
export const ADMIN_POLLING = { staleTime: ADMIN_CACHE_MS, refetchInterval: ADMIN_REFRESH_MS };

export const adminStatsQuery = queryOptions({
  queryKey: ["admin", "stats"],
  queryFn: ({ signal }) => request(adminStatsSchema, "admin/stats", { signal }),
  ...ADMIN_POLLING,
});

/** Data for the admin charts, covering the last 90 days. */
export const adminChartsQuery = queryOptions({
  queryKey: ["admin", "charts"],
  queryFn: ({ signal }) => request(adminChartsSchema, "admin/charts", { signal }),
  ...ADMIN_POLLING,
});

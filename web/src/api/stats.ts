import { ADMIN_CACHE_MS, ADMIN_REFRESH_MS, adminChartsSchema, adminStatsSchema } from "@slabdesk/contract/api/stats.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";

export const adminStatsQuery = queryOptions({
  queryKey: ["admin", "stats"],
  queryFn: ({ signal }) => request(adminStatsSchema, "admin/stats", { signal }),
  staleTime: ADMIN_CACHE_MS,
  refetchInterval: ADMIN_REFRESH_MS,
});

/** Data for the admin charts, covering the last 90 days. */
export const adminChartsQuery = queryOptions({
  queryKey: ["admin", "charts"],
  queryFn: ({ signal }) => request(adminChartsSchema, "admin/charts", { signal }),
  staleTime: ADMIN_CACHE_MS,
  refetchInterval: ADMIN_REFRESH_MS,
});

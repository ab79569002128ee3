import type { Context } from "../../context.ts";
import { startRollup } from "./rollup.jobs.ts";
import { statsRoutes } from "./stats.routes.ts";
import { createStatsService } from "./stats.service.ts";

export function statsFeature(context: Context) {
  const { breaker, graders, lanes } = context.upstreams;
  return {
    plugin: statsRoutes(createStatsService({ ...context, breaker, psa: graders.PSA })),
    /** Resolves when the lanes close. */
    rollUp: () => startRollup(context, lanes.closing),
  };
}

import type { Context } from "../../context.ts";
import { startRollup } from "./rollup.jobs.ts";
import { statsRoutes } from "./stats.routes.ts";
import { createStatsService } from "./stats.service.ts";

export function statsFeature({ db, now, report, activity, sessions, upstreams }: Context) {
  const { breaker, graders, lanes } = upstreams;
  return {
    plugin: statsRoutes(createStatsService({ db, sessions, activity, breaker, hasPsaApi: graders.PSA.hasApi, now })),
    /** Resolves when the lanes close. */
    rollUp: () => startRollup({ db, report }, lanes.closing),
  };
}

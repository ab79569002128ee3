import type { Context } from "../../context.ts";
import { startRollup } from "./rollup.jobs.ts";
import { statsRoutes } from "./stats.routes.ts";
import { createStatsService } from "./stats.service.ts";

export function statsFeature(context: Context) {
  return {
    plugin: statsRoutes(createStatsService(context)),
    /** Resolves when the lanes close. */
    rollUp: () => startRollup(context),
  };
}

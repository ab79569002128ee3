import type { Context } from "../../context.ts";
import { startRollup } from "./rollup.jobs.ts";
import { statsRoutes } from "./stats.routes.ts";

export function statsFeature(context: Context) {
  return {
    plugin: statsRoutes(context),
    rollUp: () => startRollup(context),
  };
}

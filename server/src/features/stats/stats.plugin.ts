import { repeat } from "../../concurrency/repeat.ts";
import type { Context } from "../../context.ts";
import { statsRoutes } from "./stats.routes.ts";
import { rollUpAll } from "./stats.service.ts";

const ROLLUP_EVERY_MS = 60_000;

export function statsFeature(context: Context) {
  const { db, report, upstreams } = context;
  return {
    plugin: statsRoutes(context),
    /** Rolls up the counters every minute until the lanes close. Resolves when the last run ends. */
    rollUp: () =>
      repeat(() => rollUpAll(db), {
        everyMs: ROLLUP_EVERY_MS,
        failure: "The counter rollup failed; retrying in a minute",
        report,
        closing: upstreams.lanes.closing,
      }),
  };
}

import { repeat } from "../../concurrency/repeat.ts";
import type { Context } from "../../context.ts";
import { historyRoutes } from "./history.routes.ts";
import { indexAll } from "./search.service.ts";

const INDEX_EVERY_MS = 60_000;

export function historyFeature(context: Context) {
  const { db, report, upstreams } = context;
  return {
    plugin: historyRoutes(context),
    /** Indexes changed rows every minute until the lanes close. Resolves when the last run ends. */
    index: () =>
      repeat(() => indexAll(db), {
        everyMs: INDEX_EVERY_MS,
        failure: "Indexing rows for the search failed; retrying in a minute",
        report,
        closing: upstreams.lanes.closing,
      }),
  };
}

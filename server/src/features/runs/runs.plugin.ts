import type { Context } from "../../context.ts";
import { registerAll } from "../../http/route-schemas.ts";
import { enqueueBacklogs } from "./backlogs.jobs.ts";
import type { RunContext } from "./row-transactions.service.ts";
import { workRuns } from "./runs.jobs.ts";
import { addedRowsRoutes, runsRoutes, uploadsRoutes } from "./runs.routes.ts";
import { wakeWaiting } from "./waits.jobs.ts";

/** Starts runs from sheets, looks up their cards, and stops and resumes them. */
export function runsFeature(context: Context, others: Pick<RunContext, "certs" | "pricing">) {
  const running = { ...context, ...others };
  return {
    plugin: registerAll(uploadsRoutes(running), addedRowsRoutes(running), runsRoutes(running)),
    work: () => workRuns(running),
    wakeWaiting: () => wakeWaiting(running),
    enqueueBacklogs: () => enqueueBacklogs(running),
  };
}

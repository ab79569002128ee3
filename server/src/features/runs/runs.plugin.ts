import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import type { CertsService } from "../certs/certs.service.ts";
import type { PricingService } from "../prices/quotes.service.ts";
import { createAddedRowsService } from "./added-rows.service.ts";
import { createEntriesService } from "./entries.service.ts";
import { createRetryQueueService } from "./retry-queue.service.ts";
import { createRowEditsService } from "./row-edits.service.ts";
import { workRuns } from "./runs.jobs.ts";
import { runsRoutes, uploadsRoutes } from "./runs.routes.ts";
import { createRunsService } from "./runs.service.ts";
import { createUploadsService } from "./uploads.service.ts";
import { wakeWaiting } from "./waits.jobs.ts";

/** Starts runs from sheets, looks up their cards, and stops and resumes them. */
export function runsFeature(context: Context, others: { certs: CertsService; pricing: PricingService }) {
  const running = { ...context, ...others };
  const uploads = createUploadsService(running);
  const runs = createRunsService(running);
  const services = {
    runs,
    entries: createEntriesService(running),
    addedRows: createAddedRowsService(running),
    rowEdits: createRowEditsService(context),
    retryQueue: createRetryQueueService(context),
  };
  return {
    uploads,
    reruns: runs,
    plugin: registerAll(uploadsRoutes(uploads, context.sheets), runsRoutes(context.sessions, services)),
    work: () => workRuns(running),
    wakeWaiting: () => wakeWaiting(running),
  };
}

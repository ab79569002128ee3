import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import type { CertsService } from "../certs/certs.service.ts";
import type { PricingService } from "../prices/quotes.service.ts";
import { createAddedRowsService } from "./added-rows.service.ts";
import { entriesRoutes } from "./entries.routes.ts";
import { createEntriesService } from "./entries.service.ts";
import { createRetryQueueService } from "./retry-queue.service.ts";
import { createRowEditsService } from "./row-edits.service.ts";
import { workRuns } from "./runs.jobs.ts";
import { runsRoutes } from "./runs.routes.ts";
import { createRunsService } from "./runs.service.ts";
import { uploadsRoutes } from "./uploads.routes.ts";
import { createUploadsService } from "./uploads.service.ts";
import { wakeWaiting } from "./waits.jobs.ts";

/** Starts runs from sheets, looks up their cards, and stops and resumes them. */
export function runsFeature(context: Context, others: { certs: CertsService; pricing: PricingService }) {
  const { config, db, jobs, report, intervals, sessions, upstreams } = context;
  const running = {
    ...context,
    ...others,
    cachedCertDays: config.KNOWN_CERT_DAYS,
    sheetsMbPerPerson: config.SHEETS_MB_PER_PERSON,
  };
  const uploads = createUploadsService(running);
  const runs = createRunsService({ ...running, scraping: config.SCRAPING });
  return {
    uploads,
    reruns: runs,
    plugin: registerAll(
      uploadsRoutes(uploads, context.sheets),
      entriesRoutes(sessions, createEntriesService(running)),
      runsRoutes({
        sessions,
        runs,
        addedRows: createAddedRowsService(running),
        rowEdits: createRowEditsService(running),
        retryQueue: createRetryQueueService(running),
      }),
    ),
    work: () =>
      workRuns({
        ...running,
        delayMs: config.CARD_DELAY_MS,
        concurrency: config.LANE_CONCURRENCY,
        retryDelaysS: config.RETRY_DELAYS_S,
      }),
    wakeWaiting: () =>
      wakeWaiting(
        { db, jobs, sessions, certs: others.certs, report },
        intervals.waitingRowsMs,
        upstreams.lanes.closing,
      ),
  };
}

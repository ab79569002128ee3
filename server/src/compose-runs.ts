import type pg from "pg";
import type { FastifyBaseLogger } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { composeFiles } from "./compose-files.ts";
import { composeLookups } from "./compose-lookups.ts";
import type { Config } from "./config.ts";
import type { Database, DatabaseSettings } from "./database/connection.ts";
import { createNotifications } from "./database/notifications.ts";
import type { ActivityService } from "./features/activity/activity.service.ts";
import { scanChangesRoutes } from "./features/sessions/changes.routes.ts";
import { createScanChangesService, type ScanChangesService } from "./features/sessions/changes.service.ts";
import { scanReviewedRoutes } from "./features/review/review.routes.ts";
import { createScanReviewedService } from "./features/review/review.service.ts";
import { scanLookupHistoryRoutes } from "./features/history/lookup-history.routes.ts";
import { createScanLookupHistoryService } from "./features/history/lookup-history.service.ts";
import { scanDeletionRoutes } from "./features/sessions/deletion.routes.ts";
import { createScanDeletionService } from "./features/sessions/deletion.service.ts";
import { workImageComparisons } from "./features/photos/comparison.jobs.ts";
import { scanPlansRoutes } from "./features/plans/plans.routes.ts";
import { createScanPlansService } from "./features/plans/plans.service.ts";
import { deferUnasked, workPrices } from "./features/prices/row-prices.jobs.ts";
import { scanPricesRoutes } from "./features/prices/row-prices.routes.ts";
import { createScanPricesService } from "./features/prices/row-prices.service.ts";
import { scanQueueRoutes } from "./features/runs/retry-queue.routes.ts";
import { createScanQueueService } from "./features/runs/retry-queue.service.ts";
import { scanRerunsRoutes } from "./features/runs/reruns.routes.ts";
import { createScanRerunsService } from "./features/runs/reruns.service.ts";
import { scanRowsRoutes } from "./features/runs/added-rows.routes.ts";
import { createScanRowsService } from "./features/runs/added-rows.service.ts";
import { scanSearchRoutes } from "./features/history/search.routes.ts";
import { createScanSearchService } from "./features/history/search.service.ts";
import { createScanUploadsService } from "./features/runs/uploads.service.ts";
import { scanProvenanceRoutes } from "./features/history/provenance.routes.ts";
import { createScanProvenanceService } from "./features/history/provenance.service.ts";
import { createScanEvents } from "./features/sessions/sessions.events.ts";
import { workScans } from "./features/runs/runs.jobs.ts";
import { scansRoutes } from "./features/sessions/sessions.routes.ts";
import { createScansService } from "./features/sessions/sessions.service.ts";
import { wakeWaiting } from "./features/runs/waits.ts";
import { sourcesRoutes } from "./features/sources/sources.routes.ts";
import { createSourcesService } from "./features/sources/sources.service.ts";
import { startRollup } from "./features/stats/stats.rollup.ts";
import { statsRoutes } from "./features/stats/stats.routes.ts";
import { createStatsService } from "./features/stats/stats.service.ts";
import type { Intervals } from "./intervals.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";
import { startCallRetention } from "./upstreams/call-retention.ts";

export type RunParts = {
  config: Config;
  settings: DatabaseSettings;
  pool: pg.Pool;
  db: Database;
  dataDir: string;
  activity: ActivityService;
  log: FastifyBaseLogger;
  now: () => Date;
  intervals: Intervals;
};

/** The look-up runs and their routes. They start and stop around the HTTP server. */
export type Runs = {
  routes: FastifyPluginAsyncZod[];
  priceSources: readonly PriceSourceName[];
  start(): Promise<void>;
  stopEvents(): Promise<void>;
  stop(): Promise<void>;
};

/** Time that a card in flight gets to finish when the server stops. After that, the next start runs it again. */
const LAST_CARD_MS = 20_000;

/** Builds lanes, graders, jobs and the features around scan sessions. */
export function composeRuns(parts: RunParts): Runs {
  const { config, settings, pool, db, dataDir, activity, log, now, intervals } = parts;
  const report = (error: Error): void => log.error({ err: error }, "A background task failed");
  const lookups = composeLookups({ config, pool, db, log, now, report, callLogMs: intervals.callLogMs });
  const { lanes, breaker, certs, pricing } = lookups;
  const jobs = createJobs(settings, report, intervals);
  const notifications = createNotifications(settings, report);
  const scans = createScansService(db);
  const changes = createScanChangesService({ db, jobs, activity });
  const running = { db, jobs, certs, pricing, changes, cachedCertDays: config.KNOWN_CERT_DAYS };
  const uploads = createScanUploadsService({ ...running, activity, now });
  const reruns = createScanRerunsService({ ...running, activity, scraping: config.SCRAPING });
  const scanRows = createScanRowsService(running);
  const lookupHistory = createScanLookupHistoryService(db);
  const plans = createScanPlansService({ ...running, lookupHistory, scraping: config.SCRAPING, now });
  const prices = createScanPricesService({ ...running, singlePrices: lookups.singlePrices, activity });
  const queue = createScanQueueService({ db, jobs, activity });
  const { setUp, tryCredentials } = lookups;
  const sources = createSourcesService({ db, breaker, lanes, reruns, activity, setUp, tryCredentials, now });
  const events = createScanEvents({ notifications, changes: scans.changes, eventsMs: intervals.eventsMs });
  const files = composeFiles({ config, db, jobs, scans, activity, dataDir, log, report, now });

  let waking: Promise<unknown> = Promise.resolve();

  return {
    priceSources: pricing.sourcesOn,
    routes: [
      scansRoutes({ scans, uploads, events, notifications }),
      scanPlansRoutes(plans),
      scanLookupHistoryRoutes(scans, lookupHistory),
      scanChangesRoutes(scans, changes),
      scanRerunsRoutes(scans, reruns),
      scanRowsRoutes(scans, scanRows),
      scanPricesRoutes(scans, prices),
      scanQueueRoutes(scans, queue),
      scanReviewedRoutes(scans, createScanReviewedService(db)),
      scanProvenanceRoutes(scans, createScanProvenanceService({ db, lookupHistory })),
      scanSearchRoutes(createScanSearchService({ db, pool })),
      scanDeletionRoutes(scans, createScanDeletionService({ db, jobs, images: files.images, activity })),
      statsRoutes(createStatsService({ db, scans, activity, breaker, hasPsaApi: lookups.hasPsaApi, now })),
      sourcesRoutes(sources),
      ...lookups.routes,
      ...files.routes,
    ],
    async start() {
      await certs.start();
      await pricing.start();
      await jobs.start();
      await notifications.start();
      if (config.ROLE === "web") return;
      const looking = await startWork({ config, db, jobs, lookups, changes, images: files.images, report, intervals });
      waking = looking.ended;
    },
    async stopEvents() {
      events.stop();
      await notifications.stop();
    },
    async stop() {
      // Aborts picture fetches in flight, so that no job waits for them.
      await Promise.all([lanes.close(), jobs.stop(LAST_CARD_MS), waking, files.close()]);
      certs.close();
      pricing.close();
      await lookups.closeEndpoints();
    },
  };
}

type WorkParts = Pick<RunParts, "config" | "db" | "intervals"> & {
  jobs: Jobs;
  lookups: ReturnType<typeof composeLookups>;
  changes: ScanChangesService;
  images: ReturnType<typeof composeFiles>["images"];
  report: (error: Error) => void;
};

/** Starts a worker's background tasks. `ended` resolves when its own loops have stopped after the lanes close. */
async function startWork(parts: WorkParts): Promise<{ ended: Promise<unknown> }> {
  const { config, db, jobs, lookups, changes, images, report, intervals } = parts;
  const { certs, pricing } = lookups;
  const { closing } = lookups.lanes;
  const shared = { db, jobs, pricing, changes, concurrency: config.LANE_CONCURRENCY, report };
  const priceJobs = { ...shared, delayMs: config.PRICING_DELAY_MS, pausedPricesMs: intervals.pausedPricesMs, closing };
  await workPrices(priceJobs);
  await workScans({ ...shared, certs, delayMs: config.CARD_DELAY_MS, retryDelaysS: config.RETRY_DELAYS_S });
  await workImageComparisons({ db, jobs, images, closing });
  const ended = Promise.all([
    wakeWaiting({ db, jobs, certs, report }, intervals.waitingRowsMs, closing),
    deferUnasked(priceJobs),
    startRollup({ db, report }, closing),
    startCallRetention({ db, report }, closing),
  ]);
  return { ended };
}

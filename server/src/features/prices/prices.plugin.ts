import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { createPriceFetcher } from "./quote-fetcher.service.ts";
import { createPricingService } from "./quotes.service.ts";
import { deferUnasked, workPrices } from "./row-prices.jobs.ts";
import { rowPricesRoutes } from "./row-prices.routes.ts";
import { createRowPricesService } from "./row-prices.service.ts";
import { singlePricesRoutes } from "./single-prices.routes.ts";
import { createSinglePricesService } from "./single-prices.service.ts";

/** Prices of single cards and of sessions' rows. */
export function pricesFeature({
  config,
  db,
  jobs,
  log,
  now,
  report,
  intervals,
  activity,
  sessions,
  upstreams,
}: Context) {
  const { lanes, breaker, priceSources: sources } = upstreams;
  const fetcher = createPriceFetcher({ db, sources, lanes, breaker, now, log });
  const pricing = createPricingService({ db, sources, fetcher, lanes, breaker, upstreams: config.upstreams });
  const singlePrices = createSinglePricesService({ db, sources, fetcher, breaker, now });
  const rowPrices = createRowPricesService({ db, jobs, pricing, singlePrices, activity, sessions });
  const jobParts = {
    db,
    jobs,
    pricing,
    sessions,
    delayMs: config.PRICING_DELAY_MS,
    pausedPricesMs: intervals.pausedPricesMs,
    concurrency: config.LANE_CONCURRENCY,
    closing: lanes.closing,
    report,
  };
  return {
    pricing,
    plugin: registerAll(singlePricesRoutes(singlePrices), rowPricesRoutes(sessions, rowPrices)),
    work: () => workPrices(jobParts),
    /** Resolves when the lanes close. */
    deferUnasked: () => deferUnasked(jobParts),
  };
}

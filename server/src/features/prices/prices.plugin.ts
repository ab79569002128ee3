import type { Context } from "../../context.ts";
import { registerAll } from "../../http/register-all.ts";
import { createPricingService } from "./quotes.service.ts";
import { deferUnasked, workPrices } from "./row-prices.jobs.ts";
import { rowPricesRoutes } from "./row-prices.routes.ts";
import { createRowPricesService } from "./row-prices.service.ts";
import { singlePricesRoutes } from "./single-prices.routes.ts";
import { createSinglePricesService } from "./single-prices.service.ts";

/** Prices of single cards and of sessions' rows. */
export function pricesFeature(context: Context) {
  const { config, intervals, sessions } = context;
  const { lanes, breaker, priceSources: sources } = context.upstreams;
  const pricing = createPricingService({ ...context, sources, lanes, breaker });
  const singlePrices = createSinglePricesService({ ...context, pricing });
  const rowPrices = createRowPricesService({ ...context, pricing, singlePrices });
  const jobParts = {
    ...context,
    pricing,
    delayMs: config.PRICING_DELAY_MS,
    pausedPricesMs: intervals.pausedPricesMs,
    concurrency: config.LANE_CONCURRENCY,
    closing: lanes.closing,
  };
  return {
    pricing,
    plugin: registerAll(singlePricesRoutes(singlePrices), rowPricesRoutes(sessions, rowPrices)),
    work: () => workPrices(jobParts),
    /** Resolves when the lanes close. */
    deferUnasked: () => deferUnasked(jobParts),
  };
}

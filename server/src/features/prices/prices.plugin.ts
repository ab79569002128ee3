import type { Context } from "../../context.ts";
import { pricesRoutes } from "./prices.routes.ts";
import { createPricingService } from "./quotes.service.ts";
import { deferWithoutCredentials, workPrices } from "./row-prices.jobs.ts";
import { createRowPricesService } from "./row-prices.service.ts";
import { createSinglePricesService } from "./single-prices.service.ts";

export function pricesFeature(context: Context) {
  const pricing = createPricingService(context);
  const singlePrices = createSinglePricesService({ ...context, pricing });
  const parts = { ...context, pricing, singlePrices };
  return {
    pricing,
    plugin: pricesRoutes(context.sessions, createRowPricesService(parts), singlePrices),
    work: () => workPrices(parts),
    deferWithoutCredentials: () => deferWithoutCredentials(parts),
  };
}

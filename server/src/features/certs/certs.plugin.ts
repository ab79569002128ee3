import type { Context } from "../../context.ts";
import { certsRoutes } from "./certs.routes.ts";
import { createCertsService } from "./certs.service.ts";
import { createForecasts } from "./forecast.service.ts";
import { createLookup } from "./lookup.service.ts";
import { createSourceOrders } from "./source-order.ts";

/** Looks up single cards. */
export function certsFeature({ config, db, log, now, upstreams }: Context) {
  const { lanes, graders, breaker } = upstreams;
  const sourceOrders = createSourceOrders(graders, config.SCRAPING);
  const certs = createCertsService({
    db,
    lanes,
    lookup: createLookup({ graders, sourceOrders, breaker, now }),
    forecasts: createForecasts({ graders, sourceOrders, breaker, now }),
    upstreams: config.upstreams,
    cachedCertDays: config.KNOWN_CERT_DAYS,
    log,
  });
  return { certs, plugin: certsRoutes(certs, now) };
}

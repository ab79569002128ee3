import type { Context } from "../../context.ts";
import { certsRoutes } from "./certs.routes.ts";
import { createCertsService } from "./certs.service.ts";
import { createSourceOrders } from "./source-order.rules.ts";

export function certsFeature({ config, db, log, now, upstreams }: Context) {
  const certs = createCertsService({
    ...upstreams,
    sourcesOf: createSourceOrders(upstreams.graders, config.SCRAPING),
    db,
    now,
    cachedCertDays: config.KNOWN_CERT_DAYS,
    log,
  });
  return { certs, plugin: certsRoutes(certs, now) };
}

import type pg from "pg";
import type { FastifyBaseLogger } from "fastify";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";
import { createLookup } from "./features/certs/certs.lookup.ts";
import { createForecasts } from "./features/certs/certs.forecast.ts";
import { certsRoutes } from "./features/certs/certs.routes.ts";
import { createCertsService } from "./features/certs/certs.service.ts";
import { createSourceOrders } from "./features/certs/certs.source-order.ts";
import { createPriceFetcher } from "./features/prices/quotes.fetch.ts";
import { pricingRoutes } from "./features/prices/quotes.routes.ts";
import { createPricingService } from "./features/prices/quotes.service.ts";
import { createSinglePricesService } from "./features/prices/single-prices.service.ts";
import { createCgcGrader } from "./graders/cgc/grader.ts";
import type { Grader } from "./graders/grader.ts";
import { createPsaGrader } from "./graders/psa/grader.ts";
import { createTagGrader } from "./graders/tag/grader.ts";
import { createBreaker } from "./upstreams/breaker.ts";
import { createCallLog } from "./upstreams/call-log.ts";
import type { LookupEndpoint } from "./upstreams/endpoint.ts";
import { createEndpoints } from "./upstreams/http-endpoints.ts";
import { createLanes } from "./upstreams/lane.ts";
import { createCardLadder } from "./price-sources/cardladder/source.ts";
import { createCardsIq } from "./price-sources/cardsiq/source.ts";
import type { PriceSource } from "./price-sources/price-source.ts";

type LookupParts = {
  config: Config;
  pool: pg.Pool;
  db: Database;
  log: FastifyBaseLogger;
  now: () => Date;
  report: (error: Error) => void;
  callLogMs: number;
};

const PROBE_GRACE_MS = 10_000;
/** The most calls per card, if more than two. CardLadder needs extra calls for its token and for half grades. */
const MOST_CALLS: Partial<Record<LookupEndpoint, number>> = { cardladder: 7 };

/** Builds everything that calls upstreams: endpoints, lanes, breaker, look-ups and prices of single cards. */
export function composeLookups({ config, pool, db, log, now, report, callLogMs }: LookupParts) {
  const endpoints = createEndpoints(config);
  const calls = createCallLog(db, report, callLogMs);
  const noted = calls.noted(endpoints.endpoints);
  const lanes = createLanes(db, pool, {
    delayMs: config.CARD_DELAY_MS,
    priceDelayMs: config.PRICING_DELAY_MS,
    concurrency: config.LANE_CONCURRENCY,
  });
  const graderParts = { endpoints: noted, settings: config, now };
  const graders = {
    PSA: createPsaGrader(graderParts),
    CGC: createCgcGrader(graderParts),
    TAG: createTagGrader(graderParts),
  };
  const breaker = createBreaker(db, {
    quotas: { "psa-api": { perDay: config.PSA_DAILY_QUOTA, perCard: graders.PSA.callsPerCard.api } },
    // The grace period lets a late answer still be reported.
    probeLeaseMs: (endpoint) => config.REQUEST_TIMEOUT_MS * (MOST_CALLS[endpoint] ?? 2) + PROBE_GRACE_MS,
  });
  const sourceOrders = createSourceOrders(graders, config.SCRAPING);
  const lookup = createLookup({ graders, sourceOrders, breaker, now });
  const forecasts = createForecasts({ graders, sourceOrders, breaker, now });
  const certs = createCertsService({
    db,
    lanes,
    lookup,
    forecasts,
    upstreams: config.upstreams,
    cachedCertDays: config.KNOWN_CERT_DAYS,
    log,
  });
  const sources = {
    cardladder: createCardLadder(graderParts),
    cardsiq: createCardsIq({ endpoint: noted.cardsiq, settings: config, now }),
  };
  const priceFetcher = createPriceFetcher({ db, sources, lanes, breaker, now, log });
  const pricing = createPricingService({
    db,
    sources,
    fetcher: priceFetcher,
    lanes,
    breaker,
    upstreams: config.upstreams,
  });
  const singlePrices = createSinglePricesService({ db, sources, fetcher: priceFetcher, now });
  const closeEndpoints = async (): Promise<void> => {
    await endpoints.close();
    await calls.close();
  };
  return {
    lanes,
    breaker,
    certs,
    pricing,
    singlePrices,
    hasPsaApi: graders.PSA.hasApi,
    setUp: { isOn: isOnOf(graders, sources), scraping: config.SCRAPING },
    tryCredentials: {
      psa: graders.PSA.tryCredentials,
      cgc: graders.CGC.tryCredentials,
      tag: graders.TAG.tryCredentials,
      cardladder: sources.cardladder.tryCredentials,
      cardsiq: sources.cardsiq.tryCredentials,
    },
    routes: [certsRoutes(certs, now), pricingRoutes(singlePrices)],
    closeEndpoints,
  };
}

/** Whether each upstream's credentials are set. For a company, this means its API. */
function isOnOf(
  graders: Record<Company, Grader>,
  sources: Record<PriceSourceName, PriceSource>,
): Record<SourceName, boolean> {
  return {
    psa: graders.PSA.hasApi,
    cgc: graders.CGC.hasApi,
    tag: graders.TAG.hasApi,
    cardladder: sources.cardladder.isOn,
    cardsiq: sources.cardsiq.isOn,
  };
}

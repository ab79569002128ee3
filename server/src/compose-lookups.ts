import type pg from "pg";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "./config.ts";
import type { Database } from "./database/connection.ts";
import { createAsking } from "./features/certs/certs.asking.ts";
import { createForecasts } from "./features/certs/certs.forecast.ts";
import { createCertsService } from "./features/certs/certs.service.ts";
import { createWays } from "./features/certs/certs.ways.ts";
import { createCgcGrader } from "./graders/cgc/grader.ts";
import { createPsaGrader } from "./graders/psa/grader.ts";
import { createTagGrader } from "./graders/tag/grader.ts";
import { createBreaker } from "./lanes/breaker.ts";
import { createDoors } from "./lanes/http-doors.ts";
import { createLanes } from "./lanes/lane.ts";

type LookupParts = { config: Config; pool: pg.Pool; db: Database; log: FastifyBaseLogger; now: () => Date };

const PROBE_GRACE_MS = 10_000;

/** Constructs what asks the graders: doors, lanes, breaker, and the look-up of one card. */
export function composeLookups({ config, pool, db, log, now }: LookupParts) {
  const doors = createDoors(config);
  const lanes = createLanes(db, pool, { delayMs: config.CARD_DELAY_MS, concurrency: config.LANE_CONCURRENCY });
  const graderParts = { doors: doors.doors, settings: config, now };
  const graders = {
    PSA: createPsaGrader(graderParts),
    CGC: createCgcGrader(graderParts),
    TAG: createTagGrader(graderParts),
  };
  const breaker = createBreaker(db, {
    quotas: { "psa-api": { perDay: config.PSA_DAILY_QUOTA, perCard: graders.PSA.callsPerCard.api } },
    // A look-up is two calls at most, an answer that came late is still noted.
    probeLeaseMs: config.REQUEST_TIMEOUT_MS * 2 + PROBE_GRACE_MS,
  });
  const ways = createWays(graders, config.SCRAPING);
  const asking = createAsking({ graders, ways, breaker });
  const forecasts = createForecasts({ graders, ways, breaker, now });
  const certs = createCertsService({
    db,
    lanes,
    asking,
    forecasts,
    upstreams: config.upstreams,
    knownCertDays: config.KNOWN_CERT_DAYS,
    log,
  });
  return { lanes, breaker, certs, hasPsaApi: graders.PSA.hasApi, closeDoors: () => doors.close() };
}

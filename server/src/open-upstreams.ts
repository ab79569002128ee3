import type pg from "pg";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { Config } from "./config.ts";
import type { Values } from "./credentials/credentials.ts";
import type { Database } from "./database/connection.ts";
import { createCgcGrader } from "./graders/cgc/grader.ts";
import type { Grader, GraderParts } from "./graders/grader.ts";
import { createPsaGrader } from "./graders/psa/grader.ts";
import { withTokenDoubt } from "./graders/psa/token-doubt.ts";
import { createTagGrader } from "./graders/tag/grader.ts";
import type { Intervals } from "./intervals.ts";
import { listPeopleWithJobs } from "./jobs/jobs.ts";
import { createCardLadder } from "./price-sources/cardladder/source.ts";
import { createCardsIq } from "./price-sources/cardsiq/source.ts";
import type { PriceSource } from "./price-sources/price-source.ts";
import { createBreaker } from "./upstreams/breaker.ts";
import { createCallLog } from "./upstreams/call-log.ts";
import type { LookupEndpoint } from "./upstreams/endpoint.ts";
import { createEndpoints } from "./upstreams/http-endpoints.ts";
import { createLanes } from "./upstreams/lane.ts";
import { createSourceNotes, type SourceNotes } from "./upstreams/source-notes.ts";

export type UpstreamsParts = {
  /** Its credentials may change at any time. */
  config: Config;
  pool: pg.Pool;
  db: Database;
  now: () => Date;
  report: (error: Error) => void;
  intervals: Pick<Intervals, "callLogMs" | "longCallMs">;
};

export type Upstreams = ReturnType<typeof openUpstreams>;

const PROBE_GRACE_MS = 10_000;
/** The most calls per card, if more than two. CardLadder needs extra calls for its token, half grades and its second argument set. */
const MOST_CALLS: Partial<Record<LookupEndpoint, number>> = { cardladder: 12 };

export function openUpstreams({ config, pool, db, now, report, intervals }: UpstreamsParts) {
  const endpoints = createEndpoints(config);
  const calls = createCallLog(db, report, intervals.callLogMs);
  const noted = calls.noted(endpoints.endpoints);
  const notes = {
    psa: createSourceNotes(db, "psa", config.upstreams),
    cardladder: createSourceNotes(db, "cardladder", config.upstreams),
  };
  const clientsWith = (settings: Config) => clientsOf({ endpoints: noted, settings, now }, notes);
  const { graders, priceSources } = clientsWith(config);
  return {
    lanes: createLanes(db, pool, {
      delayMs: config.CARD_DELAY_MS,
      priceDelayMs: config.PRICING_DELAY_MS,
      concurrency: config.LANE_CONCURRENCY,
      longCallMs: intervals.longCallMs,
      listPeopleWithJobs: (lane) => listPeopleWithJobs(db, lane),
    }),
    breaker: createBreaker(db, {
      quotas: { "psa-api": { perDay: config.PSA_DAILY_QUOTA, perCard: graders.PSA.callsPerCard.api } },
      // The grace period lets a late answer still be reported.
      probeLeaseMs: (endpoint) => config.REQUEST_TIMEOUT_MS * (MOST_CALLS[endpoint] ?? 2) + PROBE_GRACE_MS,
      outagePatienceMs: config.OUTAGE_PATIENCE_MIN * 60_000,
    }),
    graders,
    priceSources,
    /** Clients with these credentials in place of the current ones, for a test. */
    clientsWith: (values: Values) => clientsWith({ ...config, ...values }),
    /** Closes the connections and writes the rest of the call log. */
    async close(): Promise<void> {
      await endpoints.close();
      await calls.close();
    },
  };
}

function clientsOf(parts: GraderParts, notes: Record<"psa" | "cardladder", SourceNotes>) {
  const psa = createPsaGrader(parts);
  const graders: Record<Company, Grader> = {
    PSA: Object.assign(psa, { viaApi: withTokenDoubt(psa.viaApi, parts.settings, notes.psa) }),
    CGC: createCgcGrader(parts),
    TAG: createTagGrader(parts),
  };
  const priceSources: Record<PriceSourceName, PriceSource> = {
    cardladder: createCardLadder({ ...parts, notes: notes.cardladder }),
    cardsiq: createCardsIq({ ...parts, endpoint: parts.endpoints.cardsiq }),
  };
  return { graders, priceSources };
}

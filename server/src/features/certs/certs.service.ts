import type { FastifyBaseLogger } from "fastify";
import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { LaneName } from "../../config.ts";
import type { Database } from "../../database/connection.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Gate, Quota } from "../../lanes/breaker.ts";
import { LaneClosedError, type Lanes, type WaitForCallSlot } from "../../lanes/lane.ts";
import { onBehalfOf } from "../../lanes/on-behalf-of.ts";
import type { Asked, Lookup, CardAnswer } from "./certs.lookup.ts";
import type { Forecast, Forecasts } from "./certs.forecast.ts";
import { findCachedCert, forgetCardsOfOthers, saveCachedCert } from "./certs.repo.ts";

export type CertsParts = {
  db: Database;
  lanes: Pick<Lanes, LaneName>;
  lookup: Lookup;
  forecasts: Forecasts;
  upstreams: "demo" | "live";
  cachedCertDays: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

/** One card that somebody, `userId`, waits for; `givenUp` aborts when they no longer do. */
export type CardRequest = {
  userId: string;
  company: Company;
  certNumber: string;
  mode: Mode;
  forceRefresh: boolean;
  givenUp: AbortSignal;
};

export type CertsService = {
  /** Makes sure that cards of a demonstration are never taken for real ones, nor the other way round. */
  start(): Promise<void>;
  /** From now on what comes back is no answer: the endpoints are closing, and asks under way reject with LaneClosedError. */
  close(): void;
  /** Waits for the company's lane, then does the work inside its turn. */
  inLane<T>(company: Company, work: (waitForCallSlot: WaitForCallSlot) => Promise<T>): Promise<T>;
  /** Asks the company in the given mode, at once: only inside a lane's turn. A failure is an answer, never an exception. */
  ask(company: Company, certNumber: string, mode: Mode, waitForCallSlot: WaitForCallSlot): Promise<Asked>;
  /** Whether a card would be asked for now, or until when it waits. */
  gate(company: Company, mode: Mode): Promise<Gate>;
  /**
   * One card for the single-card routes: a known one if allowed, else through the lane; what is found is kept.
   *
   * @throws HttpError 429 when too many wait already, 503 when the server stops meanwhile
   */
  lookUp(request: CardRequest): Promise<CardAnswer>;
  /** Sources whose known cards serve a mode: one who asks for the API alone is not given what a page said. */
  knownSources(mode: Mode): readonly CardSource[];
  /** Keeps a found card for later look-ups, unless a part of it could not be read. */
  remember(db: Database, answer: CardAnswer): Promise<void>;
  /** What so many look-ups of a company would come to, for plans. */
  forecast(company: Company, mode: Mode, cards: number): Promise<LaneForecast>;
  /** PSA's calls of the day; null when its API has no credentials. */
  psaQuota(): Promise<Quota | null>;
};

/** A forecast with the lane's pace: milliseconds from card to card. */
export type LaneForecast = Forecast & { paceMs: number };

const LANE_OF = { PSA: "psa", CGC: "cgc", TAG: "tag" } as const;
/** Single look-ups share the lanes with the runs; scripts that want more upload a sheet. */
const MOST_WAITING = 20;

export function createCertsService(parts: CertsParts): CertsService {
  const { db, lookup, forecasts, lanes, log } = parts;
  let closed = false;
  let waiting = 0;

  async function ask(
    company: Company,
    certNumber: string,
    mode: Mode,
    waitForCallSlot: WaitForCallSlot,
  ): Promise<Asked> {
    const asked = await lookup.ask(company, certNumber, mode, waitForCallSlot);
    if (closed) throw new LaneClosedError("The endpoints closed while a card was asked for");
    const { answer } = asked;
    if ("cause" in answer && answer.code !== "not_found") {
      log.warn({ company, certNumber, code: answer.code, err: answer.cause }, answer.message);
    }
    return asked;
  }

  async function askInTurn({ userId, company, certNumber, mode, givenUp }: CardRequest): Promise<CardAnswer> {
    const gate = await lookup.gate(company, mode);
    if (gate.kind === "paused") return { code: gate.code, message: gate.message, until: gate.until };
    if (waiting >= MOST_WAITING) throw tooManyWaiting();
    waiting += 1;
    try {
      const inTurn = (waitForCallSlot: WaitForCallSlot) =>
        onBehalfOf(userId, () => ask(company, certNumber, mode, waitForCallSlot));
      return (await lanes[LANE_OF[company]].pass(inTurn, givenUp)).answer;
    } catch (error) {
      if (error instanceof LaneClosedError) throw restarting(error);
      throw error;
    } finally {
      waiting -= 1;
    }
  }

  return {
    start: () => forgetCardsOfOthers(db, parts.upstreams),
    close() {
      closed = true;
    },
    inLane: (company, work) => lanes[LANE_OF[company]].pass(work),
    ask,
    gate: lookup.gate,
    psaQuota: forecasts.psaQuota,
    async lookUp(request) {
      if (!request.forceRefresh) {
        const known = await findCachedCert(db, request.company, request.certNumber, parts.cachedCertDays);
        if (known && KNOWN_SOURCES[request.mode].includes(known.source)) {
          return { code: "found", complete: true, ...known };
        }
      }
      const answer = await askInTurn(request);
      await rememberIn(db, answer);
      return answer;
    },
    knownSources: (mode) => KNOWN_SOURCES[mode],
    remember: rememberIn,
    async forecast(company, mode, cards) {
      const forecast = await forecasts.forecast(company, mode, cards);
      return { ...forecast, paceMs: await lanes[LANE_OF[company]].paceMs() };
    },
  };
}

async function rememberIn(db: Database, answer: CardAnswer): Promise<void> {
  if (answer.code === "found" && answer.complete) await saveCachedCert(db, answer);
}

function restarting(cause: LaneClosedError): HttpError {
  const message = "The server is restarting. Please try again in a moment";
  return new HttpError(503, "overloaded", message, { headers: { "retry-after": "5" }, cause });
}

function tooManyWaiting(): HttpError {
  const message = `${MOST_WAITING} single look-ups are waiting already. Try again in a minute, or upload them as a sheet`;
  return new HttpError(429, "too_many_requests", message, { headers: { "retry-after": "60" } });
}

const KNOWN_SOURCES: Record<Mode, CardSource[]> = {
  api: ["api"],
  scraping: ["api", "page"],
  "api-with-fallback": ["api", "page"],
};

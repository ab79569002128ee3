import type { FastifyBaseLogger } from "fastify";
import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import type { Grader, Outcome } from "../../graders/grader.ts";
import { HttpError } from "../../http/http-error.ts";
import { LaneClosedError, type Lanes } from "../../lanes/lane.ts";
import { findKnownCert, forgetCardsOfOthers, saveKnownCert } from "./certs.repo.ts";

/** What a look-up needs to run; `scraping` off means that pages are never read. */
export type CertsParts = {
  db: Database;
  lanes: Pick<Lanes, "psa" | "cgc" | "tag">;
  graders: Record<Company, Grader>;
  scraping: "on" | "off";
  upstreams: "demo" | "live";
  knownCertDays: number;
  log: Pick<FastifyBaseLogger, "warn">;
};

/** One card that somebody waits for; `givenUp` aborts when they no longer do. */
export type CardRequest = {
  company: Company;
  certNumber: string;
  mode: Mode;
  forceRefresh: boolean;
  givenUp: AbortSignal;
};

export type CertsService = {
  /** Makes sure that cards of a demonstration are never taken for real ones, nor the other way round. */
  start(): Promise<void>;
  /** From now on what comes back is no answer: the doors are closing, and asks under way reject with LaneClosedError. */
  close(): void;
  /** Waits for the company's lane, then does the work inside its turn. */
  inLane<T>(company: Company, work: () => Promise<T>): Promise<T>;
  /** Asks the company in the given mode, at once: only inside a lane's turn. A failure is an outcome, never an exception. */
  ask(company: Company, certNumber: string, mode: Mode): Promise<Outcome>;
  /**
   * One card for the single-card routes: a known one if allowed, else through the lane; what is found is kept.
   *
   * @throws HttpError 429 when too many wait already, 503 when the server stops meanwhile
   */
  lookUp(request: CardRequest): Promise<Outcome>;
  /** Sources whose known cards serve a mode: one who asks for the API alone is not given what a page said. */
  knownSources(mode: Mode): readonly CardSource[];
  /** Keeps a found card for later look-ups, unless a part of it could not be read. */
  remember(db: Database, outcome: Outcome): Promise<void>;
};

const LANE_OF = { PSA: "psa", CGC: "cgc", TAG: "tag" } as const;
/** Single look-ups share the lanes with the runs; scripts that want more upload a sheet. */
const MOST_WAITING = 20;

export function createCertsService(parts: CertsParts): CertsService {
  const { db, graders, lanes, log } = parts;
  let closed = false;
  let waiting = 0;

  async function ask(company: Company, certNumber: string, mode: Mode): Promise<Outcome> {
    const outcome = await askInMode(graders[company], certNumber, mode, parts.scraping).catch(brokenReader);
    if (closed) throw new LaneClosedError("The doors closed while a card was asked for");
    if ("cause" in outcome && outcome.code !== "not_found") {
      log.warn({ company, certNumber, code: outcome.code, err: outcome.cause }, outcome.message);
    }
    return outcome;
  }

  async function askInTurn({ company, certNumber, mode, givenUp }: CardRequest): Promise<Outcome> {
    if (waiting >= MOST_WAITING) throw tooManyWaiting();
    waiting += 1;
    try {
      return await lanes[LANE_OF[company]].pass(() => ask(company, certNumber, mode), givenUp);
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
    async lookUp(request) {
      if (!request.forceRefresh) {
        const known = await findKnownCert(db, request.company, request.certNumber, parts.knownCertDays);
        if (known && KNOWN_SOURCES[request.mode].includes(known.source)) {
          return { code: "found", complete: true, ...known };
        }
      }
      const outcome = await askInTurn(request);
      await rememberIn(db, outcome);
      return outcome;
    },
    knownSources: (mode) => KNOWN_SOURCES[mode],
    remember: rememberIn,
  };
}

async function rememberIn(db: Database, outcome: Outcome): Promise<void> {
  if (outcome.code === "found" && outcome.complete) await saveKnownCert(db, outcome);
}

/** A client that throws is a bug of ours: the row settles and the log keeps the cause, instead of asking again and again. */
function brokenReader(error: unknown): Outcome {
  return { code: "unavailable", message: "Slabdesk could not read the answer; its log tells why", cause: error };
}

function restarting(cause: LaneClosedError): HttpError {
  const words = "The server is restarting. Please try again in a moment";
  return new HttpError(503, "overloaded", words, { headers: { "retry-after": "5" }, cause });
}

function tooManyWaiting(): HttpError {
  const words = `${MOST_WAITING} single look-ups are waiting already. Try again in a minute, or upload them as a sheet`;
  return new HttpError(429, "too_many_requests", words, { headers: { "retry-after": "60" } });
}

const KNOWN_SOURCES: Record<Mode, CardSource[]> = {
  api: ["api"],
  scraping: ["api", "page"],
  "api-with-fallback": ["api", "page"],
};

async function askInMode(grader: Grader, certNumber: string, mode: Mode, scraping: "on" | "off"): Promise<Outcome> {
  switch (mode) {
    case "api":
      return grader.viaApi(certNumber);
    case "scraping":
      return scraping === "on" ? grader.viaPage(certNumber) : SCRAPING_OFF;
    case "api-with-fallback": {
      const answer = await grader.viaApi(certNumber);
      if (scraping === "off" || isFinal(answer)) return answer;
      return preferred(answer, await grader.viaPage(certNumber));
    }
  }
}

const SCRAPING_OFF: Outcome = {
  code: "not_configured",
  message: "Web scraping is switched off by the administrator. Choose API only, or ask for it to be switched on",
};

/** An answer about the card itself, after which the page has nothing to add. */
function isFinal(outcome: Outcome): boolean {
  return outcome.code === "found" || outcome.code === "not_found" || outcome.code === "invalid_number";
}

/** When neither way gave a card, the one that may pass by itself is told: it decides whether the row can be retried. */
function preferred(api: Outcome, page: Outcome): Outcome {
  if (isFinal(page) || api.code === "not_configured" || api.code === "forbidden") return page;
  return api;
}

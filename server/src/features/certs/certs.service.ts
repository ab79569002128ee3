import type { Mode, StoredSource } from "@slabdesk/contract/api/cards.ts";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import { parseCertNumber } from "@slabdesk/contract/certs/cert-number.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Context } from "../../context.ts";
import { isDone, LONGEST_LOCK_WAIT_MS, transactUnlessBusy, type Database } from "../../database/connection.ts";
import { createShares } from "../../concurrency/shares.ts";
import { refusalOf } from "../../http/concurrent-requests.ts";
import { HttpError } from "../../http/http-error.ts";
import type { NotFound } from "../../graders/grader.ts";
import { LANE_OF } from "../../upstreams/endpoint.ts";
import { LaneClosedError } from "../../upstreams/lane-slots.ts";
import { onBehalfOf } from "../../upstreams/on-behalf-of.ts";
import {
  createLookup,
  refusedBy,
  type CardAnswer,
  type LookUpRequest,
  type LookUpResult,
  type Waits,
} from "./lookup.service.ts";
import { fetchLateImages } from "./late-images.service.ts";
import { forecastOf, psaQuotaOf } from "./forecast.service.ts";
import * as repo from "./certs.repo.ts";

export type CertsService = ReturnType<typeof createCertsService>;

/**
 * A single-card lookup by `userId`. `onWait` is called before the lookup waits for its turn. `givenUp` aborts when the
 * client disconnects.
 */
export type CardRequest = {
  userId: string;
  company: Company;
  certNumber: string;
  mode: Mode;
  forceRefresh: boolean;
  onWait: () => void;
  givenUp: AbortSignal;
};

/** Looks up one cert. Returns failures as answers. */
export type LookUpInLane = (card: Omit<LookUpRequest, "company">) => Promise<LookUpResult>;

/** Single lookups and prices wait in the lanes, where people take turns. So only each person's number is limited. */
export const SINGLES_AT_ONCE = { total: Infinity, each: 5, waiting: 15, patienceMs: 60_000 };
const TOO_MANY = `You already have ${SINGLES_AT_ONCE.each + SINGLES_AT_ONCE.waiting} lookups waiting. Try again in a minute, or upload a sheet`;

export function createCertsService(context: Context) {
  const { db, log } = context;
  const { lanes } = context.upstreams;
  const cachedCertDays = context.config.KNOWN_CERT_DAYS;
  const lookup = createLookup(context);
  let closed = false;
  const shares = createShares({ ...SINGLES_AT_ONCE, refuse: refusalOf(TOO_MANY, 60) });

  /** Runs `work` in the company's lane. @throws LaneClosedError if the server stops before or during its lookup */
  async function inLane<T>(
    company: Company,
    work: (lookUp: LookUpInLane) => Promise<T>,
    givenUp?: AbortSignal,
  ): Promise<T> {
    const reports: Promise<unknown>[] = [];
    const result = await lanes[LANE_OF[company]].pass((waitForCallSlot) => {
      return work(async (card) => {
        const { certNumber } = card;
        const { reported, ...asked } = await lookup.ask({ ...card, company }, waitForCallSlot);
        // If it fails, so does `Promise.all` below.
        reported.catch(() => undefined);
        reports.push(reported);
        if (closed) throw new LaneClosedError("The endpoints closed during a lookup");
        const { answer } = asked;
        if ("cause" in answer && answer.code !== "not_found") {
          log.warn({ company, certNumber, code: answer.code, err: answer.cause }, answer.message);
        }
        return asked;
      });
    }, givenUp);
    await Promise.all(reports);
    return result;
  }

  async function askInTurn({ userId, company, certNumber, mode, onWait, givenUp }: CardRequest): Promise<CardAnswer> {
    const state = await lookup.state(company, mode);
    if (state.kind === "closed" || state.kind === "paused") return refusedBy(state);
    const inTurn = () => inLane(company, (lookUp) => lookUp({ certNumber, mode }), givenUp);
    onWait();
    return shares.run(
      userId,
      async () => {
        const single = () => onBehalfOf(userId, inTurn);
        const { answer } = await unlessRestarting(lanes[LANE_OF[company]].runSingle(userId, single, givenUp));
        // If a long change holds the cached cert, this answer is not cached.
        if (answer.code === "found")
          await isDone(transactUnlessBusy(db, (trx) => remember(trx, [answer]), LONGEST_LOCK_WAIT_MS));
        return answer;
      },
      givenUp,
    );
  }

  return {
    /** Stops accepting answers because the endpoints are closing. Lookups in progress reject with LaneClosedError. */
    close(): void {
      closed = true;
    },

    inLane,
    state: lookup.state,
    psaQuota: () => psaQuotaOf(context),
    remember,
    rememberEntry: (trx: Database, cert: repo.EnteredCert) => repo.saveEnteredCert(trx, cert, cachedCertDays),
    forgetEntry: repo.deleteEnteredCert,
    fetchLateImages: () => fetchLateImages(context),

    /**
     * Looks up one card: in the cache unless `forceRefresh` is set, then in the lane. Caches a complete card.
     * @throws HttpError 429 if too many lookups are waiting, 503 if the server stops during the lookup
     */
    async lookUp(request: CardRequest) {
      if (!request.forceRefresh) {
        const known = await repo.findCachedCert(db, request.company, request.certNumber, cachedCertDays);
        if (known && KNOWN_SOURCES[request.mode].includes(known.source)) return { code: "found" as const, ...known };
      }
      return askInTurn(request);
    },

    /** Sources whose cached certs can serve a mode. Mode `api` doesn't use data from a page. */
    knownSources: (mode: Mode): readonly StoredSource[] => KNOWN_SOURCES[mode],

    /** A forecast with the lane's pace, in milliseconds per card. */
    async forecast(company: Company, mode: Mode, cards: number, assumedLimit?: number) {
      const forecast = await forecastOf(context, company, mode, cards, assumedLimit);
      return { ...forecast, paceMs: await lanes[LANE_OF[company]].paceMs() };
    },
  };
}

/** Caches found cards for later lookups, if they are complete or only their images are fetched later. */
async function remember(db: Database, answers: readonly CardAnswer[]): Promise<void> {
  const found = answers.filter((answer) => answer.code === "found");
  const kept = found.filter(({ complete, imagesDue }) => complete || imagesDue);
  await repo.saveCachedCerts(db, kept);
}

const KNOWN_SOURCES: Record<Mode, StoredSource[]> = {
  api: ["api", "hand"],
  scraping: ["api", "page", "hand"],
  "api-with-fallback": ["api", "page", "hand"],
};

/** The answer if the server stops before the lane admits the work, or during it. @throws HttpError 503 */
export function unlessRestarting<T>(work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    if (!(cause instanceof LaneClosedError)) throw cause;
    const message = "The server is restarting. Please try again in a moment";
    throw new HttpError(503, "overloaded", message, { headers: { "retry-after": "5" }, cause });
  });
}

/** @throws HttpError 400 with a message for the user */
export function readNumber(company: Company, text: string): string {
  const reading = parseCertNumber(company, text);
  if (!reading.ok) throw new HttpError(OUTCOMES.invalid_number.status, "invalid_number", reading.message);
  return reading.certNumber;
}

/** The error of a request for one card or price that got none. */
export function errorOf(answer: NotFound | Waits, now: Date): HttpError {
  const { code, message } = answer;
  const { status } = OUTCOMES[code];
  if (!("until" in answer)) return new HttpError(status, code, message, { cause: answer.cause });
  const seconds = answer.until && Math.max(1, Math.ceil((answer.until.getTime() - now.getTime()) / 1000));
  return new HttpError(status, code, message, { headers: seconds === null ? {} : { "retry-after": String(seconds) } });
}

import type { FastifyBaseLogger } from "fastify";
import type { z } from "zod";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import {
  PRICE_SOURCE_NAMES,
  PRICE_SOURCES,
  type cardladderRequestSchema,
  type CardsiqPricing,
  type PriceSourceName,
  type Pricing,
  type RowSales,
} from "@slabdesk/contract/api/prices.ts";
import { parseCertNumber } from "@slabdesk/contract/certs/cert-number.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import { cardsiqOf, pricingOf, salesOf } from "@slabdesk/contract/market/pricing.ts";
import type { Database } from "../../database/connection.ts";
import type { PauseCode } from "../../database/schema.ts";
import type { NotFound } from "../../graders/grader.ts";
import { HttpError } from "../../http/http-error.ts";
import type { Breaker, DoorReport, Gate } from "../../lanes/breaker.ts";
import { LaneClosedError, type Lanes, type Leave } from "../../lanes/lane.ts";
import type { PricedCard, PriceFound, PriceOutcome, PriceSource } from "../../price-sources/price-source.ts";
import { forgetQuotesOfOthers, listCardsNamed, listFreshQuotes, listSales, saveQuote } from "./pricing.repo.ts";

/** A price was found, or the source has none: either way it is kept as a quote, which serves for a day. */
export type PriceQuoted = { code: "quoted"; quoteId: number; price: Pricing | CardsiqPricing | null; words: string };
/** The source is paused, or asked us to come back later. */
export type PriceWaits = { code: PauseCode; message: string; until: Date };
/** What asking for one price came to. */
export type PriceAnswer = PriceQuoted | NotFound | PriceWaits;

export type PricingParts = {
  db: Database;
  sources: Record<PriceSourceName, PriceSource>;
  lanes: Pick<Lanes, PriceSourceName>;
  breaker: Pick<Breaker, "state" | "admit" | "report">;
  upstreams: "demo" | "live";
  now: () => Date;
  log: Pick<FastifyBaseLogger, "warn">;
};
export type PricingService = ReturnType<typeof createPricingService>;

/** When so many cards of a failed batch fail alone as well, it was not one of them that spoiled it. */
const SINGLES_TO_SEE = 2;

const isSpoiled = (answer: PriceAnswer): boolean =>
  !("until" in answer) && (answer.code === "timeout" || answer.code === "unavailable");

/** Single prices share the lanes with the runs. */
const MOST_WAITING = 20;

/** Prices of cards, from the sources that are set up, each asked once a day for a card. */
export function createPricingService(parts: PricingParts) {
  const { db, sources, lanes, breaker, now, log } = parts;
  let closed = false;
  let waiting = 0;

  /** The quotes of the last day, by the card's name. */
  async function listKept(name: PriceSourceName, cards: readonly PricedCard[]): Promise<Map<string, PriceAnswer>> {
    const fresh = await listFreshQuotes(db, name, cards);
    return new Map(
      [...fresh].map(([card, { id, price, words }]) => [card, { code: "quoted", quoteId: id, price, words }]),
    );
  }

  /** Asks in the lane's turn for what nobody else has asked for meanwhile; a failure is an answer, never an exception. */
  async function askInLane(name: PriceSourceName, cards: readonly PricedCard[], givenUp?: AbortSignal) {
    return lanes[name].pass(async (leave): Promise<PriceAnswer[]> => {
      const kept = await listKept(name, cards);
      const asked = cards.filter((card) => !kept.has(nameOf(card)));
      const answers = asked.length > 0 ? await ask(name, asked, leave) : [];
      return cards.map((card) => kept.get(nameOf(card)) ?? answers[asked.indexOf(card)] ?? unanswered(name));
    }, givenUp);
  }

  /** What was found is kept before the lane is left, so that whoever comes next finds it. */
  async function ask(name: PriceSourceName, cards: readonly PricedCard[], leave: Leave): Promise<PriceAnswer[]> {
    await leave();
    const admission = await breaker.admit(name);
    if (admission.kind !== "admitted") {
      const { code, words: message, until } = admission;
      return cards.map(() => ({ code, message, until }));
    }
    const outcomes = await sources[name].price(cards).catch((cause: unknown) => cards.map(() => broken(cause)));
    const until = await breaker.report(admission, 0, reportOf(outcomes));
    if (closed) throw new LaneClosedError("The doors closed while prices were asked for");
    const answers: PriceAnswer[] = [];
    for (const [index, card] of cards.entries()) {
      const outcome = outcomes[index] ?? unanswered(name);
      if (outcome.code === "found" || outcome.code === "not_found") answers.push(await keep(name, card, outcome));
      else if ("until" in outcome) answers.push({ ...outcome, until: until ?? outcome.until ?? now() });
      else answers.push(outcome);
    }
    return answers;
  }

  /** Asks for a batch; where one card may have spoiled it for all, one by one, unless the first two fail again. */
  async function askTogether(name: PriceSourceName, cards: readonly PricedCard[], givenUp?: AbortSignal) {
    const answers = await askInLane(name, cards, givenUp);
    if (cards.length === 1 || !answers.every(isSpoiled)) return answers;
    const single: PriceAnswer[] = [];
    for (const card of cards) {
      single.push(...(await askInLane(name, [card], givenUp)));
      if (single.length === SINGLES_TO_SEE && single.every(isSpoiled)) break;
    }
    return [...single, ...answers.slice(single.length)];
  }

  async function keep(name: PriceSourceName, card: PricedCard, outcome: PriceFound | NotFound): Promise<PriceQuoted> {
    const fetchedAt = now();
    const isFound = outcome.code === "found";
    const quote = await saveQuote(db, {
      ...card,
      source: name,
      price: isFound ? priceOf(name, outcome, fetchedAt) : null,
      sales: isFound ? outcome.sales : [],
      words: isFound ? "" : noPriceWords(name),
      fetchedAt,
    });
    return { code: "quoted", quoteId: quote.id, price: quote.price, words: quote.words };
  }

  /** Prices of some cards, in their order: those of the last day from what is kept, the others by one batch in the lane. */
  async function fetch(
    name: PriceSourceName,
    cards: readonly PricedCard[],
    givenUp?: AbortSignal,
  ): Promise<PriceAnswer[]> {
    const answers = await listKept(name, cards);
    const asked = [...new Map(cards.map((card) => [nameOf(card), card])).values()].filter(
      (card) => !answers.has(nameOf(card)),
    );
    const asking = asked.length > 0 ? await askTogether(name, asked, givenUp) : [];
    for (const [index, card] of asked.entries()) {
      const answer = asking[index] ?? unanswered(name);
      if (answer.code !== "quoted" && !("until" in answer))
        log.warn({ source: name, ...card, code: answer.code, err: answer.cause }, answer.message);
      answers.set(nameOf(card), answer);
    }
    return cards.map((card) => answers.get(nameOf(card)) ?? unanswered(name));
  }

  /** One price that somebody waits for. @throws HttpError 429 when too many wait already, 503 when the server stops */
  async function fetchOne(name: PriceSourceName, card: PricedCard, givenUp: AbortSignal): Promise<PriceAnswer> {
    const { gate } = await breaker.state(name);
    if (gate.kind === "paused" && !(await listFreshQuotes(db, name, [card])).has(nameOf(card))) {
      return { code: gate.code, message: gate.words, until: gate.until };
    }
    if (waiting >= MOST_WAITING) throw tooManyWaiting();
    waiting += 1;
    try {
      const [answer] = await fetch(name, [card], givenUp);
      return answer ?? unanswered(name);
    } catch (error) {
      if (error instanceof LaneClosedError) throw restarting(error);
      throw error;
    } finally {
      waiting -= 1;
    }
  }

  return {
    start: () => forgetQuotesOfOthers(db, parts.upstreams),
    /** From now on what comes back is no answer: the doors are closing. */
    close() {
      closed = true;
    },
    /** The sources that are set up. */
    sourcesOn: PRICE_SOURCES.filter((name) => sources[name].isOn),
    batchSizeOf: (name: PriceSourceName): number => sources[name].batchSize,
    /** Whether a source would be asked now, or until when it is paused. */
    gate: async (name: PriceSourceName): Promise<Gate> => (await breaker.state(name)).gate,
    fetch,
    fetchOne,

    /** What prices of these cards would take, for plans. */
    async forecast(name: PriceSourceName, cards: readonly PricedCard[]) {
      const { isOn, batchSize, callsPerBatch } = sources[name];
      if (!isOn) return { isOn, cards: 0, cached: 0, calls: 0, batches: 0, gate: OPEN, paceMs: 0 };
      const cached = (await listFreshQuotes(db, name, cards)).size;
      const batches = Math.ceil((cards.length - cached) / batchSize);
      const { gate } = await breaker.state(name);
      const paceMs = await lanes[name].paceMs();
      return { isOn, cards: cards.length - cached, cached, calls: batches * callsPerBatch, batches, gate, paceMs };
    },

    /** The sales behind two quotes, newest first. */
    async sales(quotes: Record<PriceSourceName, number | null>): Promise<RowSales> {
      const ids = Object.values(quotes).filter((id) => id !== null);
      const found = await listSales(db, ids);
      const of = (id: number | null) => {
        const quote = id === null ? undefined : found.get(id);
        return quote ? salesOf(quote.sales, quote.fetchedAt) : [];
      };
      return { cardladder: of(quotes.cardladder), cardsiq: of(quotes.cardsiq) };
    },

    /**
     * The slab that SPEC's call means: the number it names, else the newest that was looked up here of that name, grade
     * and company, as CardLadder is asked by number.
     *
     * @throws HttpError 404 when none was, 400 for a number that is none
     */
    async findCard({ cardName, grade, gradingCompany: company, certNumber }: CardladderRequest): Promise<PricedCard> {
      if (certNumber) return { company, certNumber: readNumber(company, certNumber) };
      const named = await listCardsNamed(db, company, cardName.replace(/\s+/g, " "));
      const card = named.find((one) => isSameGrade(one.grade, grade));
      if (card) return { company, certNumber: card.certNumber };
      const words = `${noPriceWords("cardladder")}: it is asked by certificate, and no ${company} ${grade} of this name was looked up here`;
      throw new HttpError(OUTCOMES.not_found.status, "not_found", words);
    },

    readNumber,

    /** @throws HttpError 503 in words when a source is not set up */
    demandOn(name: PriceSourceName): void {
      if (!sources[name].isOn) throw new HttpError(OUTCOMES.not_configured.status, "not_configured", OFF_WORDS[name]);
    },

    /** The price of one card for somebody who waits. @throws HttpError in words when there is none */
    async demandPrice(
      name: PriceSourceName,
      card: PricedCard,
      givenUp: AbortSignal,
    ): Promise<Pricing | CardsiqPricing> {
      const answer = await fetchOne(name, card, givenUp);
      if (answer.code === "quoted" && answer.price) return answer.price;
      throw noPrice(answer, now());
    },
  };
}

/** Why there is no price, as the answer to a single call. */
export function noPrice(answer: PriceAnswer, now: Date): HttpError {
  if (answer.code === "quoted") return new HttpError(OUTCOMES.not_found.status, "not_found", answer.words);
  const { status } = OUTCOMES[answer.code];
  if (!("until" in answer)) return new HttpError(status, answer.code, answer.message, { cause: answer.cause });
  const seconds = Math.max(1, Math.ceil((answer.until.getTime() - now.getTime()) / 1000));
  return new HttpError(status, answer.code, answer.message, { headers: { "retry-after": String(seconds) } });
}

const OFF_WORDS: Record<PriceSourceName, string> = {
  cardladder:
    "CardLadder is not set up: an administrator must set CARDLADDER_WEB_KEY, CARDLADDER_EMAIL and CARDLADDER_PASSWORD",
  cardsiq: "CardsIQ is not set up: an administrator must set CARDSIQ_API_URL and CARDSIQ_API_KEY",
};

export type CardladderRequest = z.output<typeof cardladderRequestSchema>;

const OPEN: Gate = { kind: "open" };

function nameOf({ company, certNumber }: PricedCard): string {
  return `${company} ${certNumber}`;
}

/** SPEC's words. */
function noPriceWords(name: PriceSourceName): string {
  return `No ${PRICE_SOURCE_NAMES[name]} pricing data found for this card`;
}

function priceOf(name: PriceSourceName, found: PriceFound, fetchedAt: Date): Pricing | CardsiqPricing {
  return name === "cardladder" ? pricingOf(found, fetchedAt.toISOString()) : cardsiqOf(found, fetchedAt.toISOString());
}

/** @throws HttpError 400 in words */
function readNumber(company: PricedCard["company"], text: string): string {
  const reading = parseCertNumber(company, text);
  if (!reading.ok) throw new HttpError(OUTCOMES.invalid_number.status, "invalid_number", reading.message);
  return reading.certNumber;
}

function isSameGrade(printed: string, asked: string): boolean {
  const number = parseNumericGrade(asked);
  return number === null
    ? printed.trim().toLowerCase() === asked.trim().toLowerCase()
    : parseNumericGrade(printed) === number;
}

/** A client that throws is a bug of ours: the log keeps the cause, the row says so. */
function broken(cause: unknown): NotFound {
  return { code: "unavailable", message: "Slabdesk could not read the prices; its log tells why", cause };
}

function unanswered(name: PriceSourceName): NotFound {
  return broken(new Error(`${name} left a card unanswered`));
}

/** What a batch says of its door: the worst that holds for all of it, and one good answer shows that the door works. */
function reportOf(outcomes: readonly PriceOutcome[]): DoorReport {
  for (const outcome of outcomes) {
    if (outcome.code !== "quota_exhausted") continue;
    return { kind: "quota_gone", until: outcome.until, limit: null, words: outcome.message };
  }
  if (outcomes.some(({ code }) => code === "found" || code === "not_found")) return { kind: "works" };
  for (const outcome of outcomes) {
    if (outcome.code === "blocked" || outcome.code === "forbidden" || outcome.code === "unavailable") {
      return { kind: "fails", code: outcome.code, words: outcome.message };
    }
  }
  const [first] = outcomes;
  return { kind: "unclear", words: first && "message" in first ? first.message : "" };
}

function restarting(cause: LaneClosedError): HttpError {
  const words = "The server is restarting. Please try again in a moment";
  return new HttpError(503, "overloaded", words, { headers: { "retry-after": "5" }, cause });
}

function tooManyWaiting(): HttpError {
  const words = `${MOST_WAITING} single prices are waiting already. Try again in a minute, or reprice the session`;
  return new HttpError(429, "too_many_requests", words, { headers: { "retry-after": "60" } });
}

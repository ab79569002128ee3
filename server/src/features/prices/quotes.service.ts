import { PRICE_SOURCES, PRICE_SOURCE_NAMES, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { cardsiqOf, pricingOf } from "@slabdesk/contract/market/pricing.ts";
import { createTurns } from "../../concurrency/turns.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/connection.ts";
import type { NotFound } from "../../graders/grader.ts";
import type { EndpointReport, EndpointState } from "../../upstreams/breaker-rules.ts";
import { LaneClosedError } from "../../upstreams/lane-slots.ts";
import {
  companyRefused,
  type NoPrice,
  type PricedCard,
  type PriceFound,
  type PriceOutcome,
  type PriceSource,
  type Refusal,
} from "../../price-sources/price-source.ts";
import type { Waits } from "../certs/lookup.service.ts";
import { listFreshQuotes, saveQuote, type PriceQuote } from "./quotes.repo.ts";

/** The source has a price, or has none (`price` is null). Both are stored as a quote, which is reused for a day. */
type PriceQuoted = { code: "quoted" } & PriceQuote;
export type PriceAnswer = PriceQuoted | NoPrice | Waits;

/** When the run that wants the prices was requested, by default now. `givenUp` aborts when the client disconnects. */
export type PriceTerms = { requestedAt?: Date; givenUp?: AbortSignal };

export type PricingService = ReturnType<typeof createPricingService>;

/** Whether a call for several cards failed for all of them. One of them may be the cause. */
export const isSpoiled = (answer: PriceAnswer | undefined): boolean =>
  answer !== undefined && "ofCall" in answer && (answer.code === "timeout" || answer.code === "unavailable");

/** Prices cards through the configured sources' lanes and stores the quotes. Asks a source for a card once a day. */
export function createPricingService(context: Context) {
  const { db, now, log } = context;
  const { priceSources: sources, lanes, breaker } = context.upstreams;
  const turns = createTurns();
  let closed = false;

  /** Makes one call for these cards in the source's lane and stores the quotes. Returns failures as answers. */
  function call(name: PriceSourceName, cards: readonly PricedCard[], terms: PriceTerms): Promise<PriceAnswer[]> {
    return lanes[name].call(async () => {
      const admission = await breaker.admit(name, terms.requestedAt);
      if (admission.kind !== "admitted") return cards.map(() => admission);
      const outcomes = await sources[name].price(cards).catch((cause: unknown) => cards.map(() => broken(cause)));
      const until = await breaker.report(admission, 0, reportOf(outcomes, cards.map(nameOf).join()));
      if (closed) throw new LaneClosedError("The endpoints closed during a price request");
      const answers: PriceAnswer[] = [];
      for (const [index, card] of cards.entries()) {
        const outcome = outcomes[index] ?? unanswered(name);
        if (outcome.code === "found" || (outcome.code === "not_found" && !outcome.isRefused))
          answers.push(await keep(db, name, card, outcome, now()));
        else if ("until" in outcome) answers.push({ ...outcome, until: until ?? outcome.until ?? now() });
        else answers.push(outcome);
      }
      return answers;
    }, terms.givenUp);
  }

  /** Requests cards without a fresh quote, unless the source is paused or closed. Logs failures. */
  async function request(name: PriceSourceName, cards: readonly PricedCard[], terms: PriceTerms) {
    if (cards.length === 0) return [];
    const { state } = await breaker.status(name, terms.requestedAt);
    if (state.kind === "paused" || state.kind === "closed") return cards.map(() => state);
    const answers = await call(name, cards, terms);
    for (const [index, answer] of answers.entries()) {
      if (answer.code !== "quoted" && !("until" in answer))
        log.warn({ source: name, ...cards[index], code: answer.code, err: answer.cause }, answer.message);
    }
    return answers;
  }

  return {
    get sourcesOn() {
      return PRICE_SOURCES.filter((name) => sources[name].isOn());
    },

    batchSizeOf: (name: PriceSourceName): number => sources[name].batchSize,

    /** Returns whether a source would be asked now for a run requested at `requestedAt`, or until when it is paused. */
    state: async (name: PriceSourceName, requestedAt: Date): Promise<EndpointState> =>
      (await breaker.status(name, requestedAt)).state,

    /** Whether a request for this card is in progress. `fetch` would wait for it. */
    isBusy: (name: PriceSourceName, card: PricedCard): boolean => turns.isTaken(keyOf(name, card)),

    /** Returns one answer per card, in order. Reuses quotes of the last day, including those being fetched. */
    fetch(name: PriceSourceName, cards: readonly PricedCard[], terms: PriceTerms): Promise<PriceAnswer[]> {
      const distinct = new Map(cards.map((card) => [nameOf(card), card]));
      const keys = [...distinct.values()].map((card) => keyOf(name, card));
      return turns.run(keys, async () => {
        const fresh = await listFreshQuotes(db, name, [...distinct.values()]);
        const missing = [...distinct.values()].filter((card) => !fresh.has(nameOf(card)));
        const requested = await exceptRefused(sources[name], missing, (asked) => request(name, asked, terms));
        return cards.map((card): PriceAnswer => {
          const quote = fresh.get(nameOf(card));
          return quote ? { code: "quoted", ...quote } : (requested.get(nameOf(card)) ?? unanswered(name));
        });
      });
    },

    forecast: (name: PriceSourceName, cards: ForecastCards) => forecastOf(context, name, cards),

    /** Stops accepting answers because the endpoints are closing. Requests in progress reject with LaneClosedError. */
    close() {
      closed = true;
    },
  };
}

const keyOf = (name: PriceSourceName, card: PricedCard): string => `${name} ${nameOf(card)}`;

const isRefused = (refusals: readonly Refusal[], card: PricedCard): boolean =>
  refusals.some(({ company }) => company === card.company);

/** Requests prices, but not of cards whose company the source refuses. Returns the answers by card. */
async function exceptRefused(
  { name, refusals }: PriceSource,
  cards: readonly PricedCard[],
  request: (asked: readonly PricedCard[]) => Promise<PriceAnswer[]>,
): Promise<Map<string, PriceAnswer>> {
  const refused = cards.length === 0 ? [] : await refusals();
  const asked = cards.filter((card) => !isRefused(refused, card));
  const requested = await request(asked);
  const answers = new Map(asked.map((card, index) => [card, requested[index] ?? unanswered(name)]));
  const answerOf = (card: PricedCard) => answers.get(card) ?? companyRefused(PRICE_SOURCE_NAMES[name], card);
  return new Map(cards.map((card) => [nameOf(card), answerOf(card)]));
}

/** Cached cards are priced in batches. The others must be looked up first and are priced one at a time. */
type ForecastCards = { cached: readonly PricedCard[]; uncached: readonly PricedCard[] };
const OPEN: EndpointState = { kind: "open" };

/** Estimates the most calls that pricing these cards can take, for plans. */
async function forecastOf({ db, upstreams }: Context, name: PriceSourceName, { cached, uncached }: ForecastCards) {
  const { priceSources: sources, lanes, breaker } = upstreams;
  const { batchSize, callsPerBatch } = sources[name];
  const isOn = sources[name].isOn();
  const none = { isOn, cards: 0, cached: 0, calls: 0, batches: 0, batchSize, state: OPEN, paceMs: 0, refused: [] };
  if (!isOn) return { ...none, wall: null };
  const all = [...cached, ...uncached];
  const quoted = await listFreshQuotes(db, name, all);
  const refusals = await sources[name].refusals();
  const missing = (some: readonly PricedCard[]) => some.filter((card) => !quoted.has(nameOf(card)));
  const count = (some: readonly PricedCard[]) => missing(some).filter((card) => !isRefused(refusals, card)).length;
  const cards = count(cached) + count(uncached);
  const batches = Math.ceil(count(cached) / batchSize) + count(uncached);
  const refused = refusals
    .map((one) => ({ ...one, cards: missing(all).filter(({ company }) => company === one.company).length }))
    .filter((one) => one.cards > 0);
  const { state, wall, manualPause } = await breaker.status(name);
  const found = { isOn, cards, cached: all.length - missing(all).length, refused, batchSize, state };
  const paceMs = await lanes[name].paceMs();
  if (wall && cards > 0 && !manualPause) return { ...found, calls: 0, batches: 0, wall, paceMs };
  return { ...found, calls: batches * callsPerBatch, batches, wall: null, paceMs };
}

/** Stores a source's answer as a quote, even if it has no price. */
async function keep(
  db: Database,
  source: PriceSourceName,
  card: PricedCard,
  outcome: PriceFound | NotFound,
  fetchedAt: Date,
): Promise<PriceQuoted> {
  const priceOf = source === "cardladder" ? pricingOf : cardsiqOf;
  const stored =
    outcome.code === "found"
      ? { price: priceOf(outcome, fetchedAt.toISOString()), sales: outcome.sales, message: "" }
      : { price: null, sales: [], message: noPriceMessage(source) };
  return { code: "quoted", ...(await saveQuote(db, { ...card, ...stored, source, fetchedAt })) };
}

function nameOf({ company, certNumber }: PricedCard): string {
  return `${company} ${certNumber}`;
}

/** The message of docs/conformance.md, 8-19. */
export function noPriceMessage(name: PriceSourceName): string {
  return `No ${PRICE_SOURCE_NAMES[name]} pricing data found for this card`;
}

/** A client that throws is a bug. The log keeps the cause; the row shows the message. */
function broken(cause: unknown): NoPrice {
  return { code: "unavailable", message: "Slabdesk could not process the prices. The server log has details", cause };
}

export function unanswered(name: PriceSourceName): NoPrice {
  return broken(new Error(`${name} returned no answer for a card`));
}

/** A used-up quota comes first. A failure counts only if no card got a good answer, and an outage once per batch. */
function reportOf(outcomes: readonly PriceOutcome[], card: string): EndpointReport {
  const exhausted = outcomes.find((outcome) => outcome.code === "quota_exhausted");
  if (exhausted) return { kind: "quota_gone", until: exhausted.until, limit: null, message: exhausted.message };
  if (outcomes.some(({ code }) => code === "found" || code === "not_found")) return { kind: "works" };
  for (const outcome of outcomes) {
    if (outcome.code === "blocked" || outcome.code === "forbidden" || outcome.code === "unavailable")
      return { kind: "fails", code: outcome.code, message: outcome.message, card };
  }
  const [first] = outcomes;
  return { kind: "unclear", message: first && "message" in first ? first.message : "" };
}

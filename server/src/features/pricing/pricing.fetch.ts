import type { FastifyBaseLogger } from "fastify";
import {
  PRICE_SOURCE_NAMES,
  type CardsiqPricing,
  type PriceSourceName,
  type Pricing,
} from "@slabdesk/contract/api/prices.ts";
import { cardsiqOf, pricingOf } from "@slabdesk/contract/market/pricing.ts";
import type { Database } from "../../database/connection.ts";
import type { PauseCode } from "../../database/schema.ts";
import type { NotFound } from "../../graders/grader.ts";
import type { Breaker, EndpointReport } from "../../lanes/breaker.ts";
import { LaneClosedError, type Lanes, type WaitForCallSlot } from "../../lanes/lane.ts";
import type { PricedCard, PriceFound, PriceOutcome, PriceSource } from "../../price-sources/price-source.ts";
import { listFreshQuotes, saveQuote } from "./pricing.repo.ts";

/** A price was found, or the source has none: either way it is kept as a quote, which serves for a day. */
export type PriceQuoted = { code: "quoted"; quoteId: number; price: Pricing | CardsiqPricing | null; message: string };
/** The source is paused, or asked us to come back later; `until` is null while it is held by hand. */
export type PriceWaits = { code: PauseCode; message: string; until: Date | null };
/** What asking for one price came to. */
export type PriceAnswer = PriceQuoted | (NotFound & { ofCall?: true }) | PriceWaits;

export type PriceFetcherParts = {
  db: Database;
  sources: Record<PriceSourceName, PriceSource>;
  lanes: Pick<Lanes, PriceSourceName>;
  breaker: Pick<Breaker, "admit" | "report">;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "warn">;
};
export type PriceFetcher = ReturnType<typeof createPriceFetcher>;

/** When so many cards of a failed batch fail alone as well, it was not one of them that spoiled it. */
const SINGLES_TO_SEE = 2;

const isSpoiled = (answer: PriceAnswer): boolean =>
  "ofCall" in answer && (answer.code === "timeout" || answer.code === "unavailable");

/** Asks the price sources in their lanes, and keeps what they say. */
export function createPriceFetcher({ db, sources, lanes, breaker, now, log }: PriceFetcherParts) {
  const turns = createTurns();
  let closed = false;

  /** Asks in the lane's turn for what nobody else has asked for meanwhile; a failure is an answer, never an exception. */
  async function askInLane(name: PriceSourceName, cards: readonly PricedCard[], givenUp?: AbortSignal) {
    return lanes[name].pass(async (waitForCallSlot): Promise<PriceAnswer[]> => {
      const kept = await listKept(db, name, cards);
      const asked = cards.filter((card) => !kept.has(nameOf(card)));
      const answers = asked.length > 0 ? await ask(name, asked, waitForCallSlot) : [];
      return cards.map((card) => kept.get(nameOf(card)) ?? answers[asked.indexOf(card)] ?? unanswered(name));
    }, givenUp);
  }

  /** What was found is kept before the lane is left, so that whoever comes next finds it. */
  async function ask(
    name: PriceSourceName,
    cards: readonly PricedCard[],
    waitForCallSlot: WaitForCallSlot,
  ): Promise<PriceAnswer[]> {
    await waitForCallSlot();
    const admission = await breaker.admit(name);
    if (admission.kind !== "admitted") {
      const { code, message, until } = admission;
      return cards.map(() => ({ code, message, until }));
    }
    const outcomes = await sources[name].price(cards).catch((cause: unknown) => cards.map(() => broken(cause)));
    const until = await breaker.report(admission, 0, reportOf(outcomes));
    if (closed) throw new LaneClosedError("The endpoints closed while prices were asked for");
    const answers: PriceAnswer[] = [];
    for (const [index, card] of cards.entries()) {
      const outcome = outcomes[index] ?? unanswered(name);
      if (outcome.code === "found" || outcome.code === "not_found")
        answers.push(await keep(db, name, card, { outcome, fetchedAt: now() }));
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

  /** Prices of some cards, in their order: those of the last day from what is kept, the others by one batch in the lane. */
  const fetch = (name: PriceSourceName, cards: readonly PricedCard[], givenUp?: AbortSignal): Promise<PriceAnswer[]> =>
    turns.take(
      cards.map((card) => `${name} ${nameOf(card)}`),
      () => fetchTogether(name, cards, givenUp),
    );

  async function fetchTogether(
    name: PriceSourceName,
    cards: readonly PricedCard[],
    givenUp?: AbortSignal,
  ): Promise<PriceAnswer[]> {
    const answers = await listKept(db, name, cards);
    const asked = [...new Map(cards.map((card) => [nameOf(card), card])).values()].filter(
      (card) => !answers.has(nameOf(card)),
    );
    const fetcher = asked.length > 0 ? await askTogether(name, asked, givenUp) : [];
    for (const [index, card] of asked.entries()) {
      const answer = fetcher[index] ?? unanswered(name);
      if (answer.code !== "quoted" && !("until" in answer))
        log.warn({ source: name, ...card, code: answer.code, err: answer.cause }, answer.message);
      answers.set(nameOf(card), answer);
    }
    return cards.map((card) => answers.get(nameOf(card)) ?? unanswered(name));
  }

  return {
    fetch,
    /** From now on what comes back is no answer: the endpoints are closing, and asks under way reject with LaneClosedError. */
    close() {
      closed = true;
    },
  };
}

/** Keeps what a source said, also that it has no price. */
async function keep(
  db: Database,
  source: PriceSourceName,
  card: PricedCard,
  { outcome, fetchedAt }: { outcome: PriceFound | NotFound; fetchedAt: Date },
): Promise<PriceQuoted> {
  const isFound = outcome.code === "found";
  const quote = await saveQuote(db, {
    ...card,
    source,
    price: isFound ? priceOf(source, outcome, fetchedAt) : null,
    sales: isFound ? outcome.sales : [],
    message: isFound ? "" : noPriceMessage(source),
    fetchedAt,
  });
  return { code: "quoted", quoteId: quote.id, price: quote.price, message: quote.message };
}

/** Lets those who ask for the same thing wait for each other: what the first one found, the others find kept. */
function createTurns() {
  const underWay = new Map<string, Promise<void>>();
  return {
    async take<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
      for (;;) {
        const others = keys.flatMap((key) => underWay.get(key) ?? []);
        if (others.length === 0) break;
        await Promise.all(others);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      for (const key of keys) underWay.set(key, promise);
      try {
        return await work();
      } finally {
        for (const key of keys) underWay.delete(key);
        resolve();
      }
    },
  };
}

/** The quotes of the last day, by the card's name. */
async function listKept(
  db: Database,
  source: PriceSourceName,
  cards: readonly PricedCard[],
): Promise<Map<string, PriceAnswer>> {
  const fresh = await listFreshQuotes(db, source, cards);
  return new Map(
    [...fresh].map(([card, { id, price, message }]) => [card, { code: "quoted", quoteId: id, price, message }]),
  );
}

export function nameOf({ company, certNumber }: PricedCard): string {
  return `${company} ${certNumber}`;
}

/** SPEC's words. */
export function noPriceMessage(name: PriceSourceName): string {
  return `No ${PRICE_SOURCE_NAMES[name]} pricing data found for this card`;
}

function priceOf(name: PriceSourceName, found: PriceFound, fetchedAt: Date): Pricing | CardsiqPricing {
  return name === "cardladder" ? pricingOf(found, fetchedAt.toISOString()) : cardsiqOf(found, fetchedAt.toISOString());
}

/** A client that throws is a bug of ours: the log keeps the cause, the row says so. */
function broken(cause: unknown): NotFound {
  return { code: "unavailable", message: "Slabdesk could not read the prices; its log tells why", cause };
}

export function unanswered(name: PriceSourceName): NotFound {
  return broken(new Error(`${name} left a card unanswered`));
}

/** What a batch says of its endpoint: the worst that holds for all of it, and one good answer shows that the endpoint works. */
function reportOf(outcomes: readonly PriceOutcome[]): EndpointReport {
  for (const outcome of outcomes) {
    if (outcome.code !== "quota_exhausted") continue;
    return { kind: "quota_gone", until: outcome.until, limit: null, message: outcome.message };
  }
  if (outcomes.some(({ code }) => code === "found" || code === "not_found")) return { kind: "works" };
  for (const outcome of outcomes) {
    if (outcome.code === "blocked" || outcome.code === "forbidden" || outcome.code === "unavailable") {
      return { kind: "fails", code: outcome.code, message: outcome.message };
    }
  }
  const [first] = outcomes;
  return { kind: "unclear", message: first && "message" in first ? first.message : "" };
}

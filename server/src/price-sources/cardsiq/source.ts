import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config.ts";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { noAnswer, parseJson, unavailable, withoutSecret, type Answered } from "../../graders/upstream-answers.ts";
import type { PriceOutcome, PriceSource, PricedCard } from "../price-source.ts";
import type { Reading, Refused } from "../../graders/grader.ts";
import { notUnderstood, refusalOf } from "../refusals.ts";
import { outcomeOf, readResults, type BatchResult } from "./map.ts";

export type CardsIqParts = {
  endpoint: Endpoint;
  settings: Pick<Config, "CARDSIQ_API_URL" | "CARDSIQ_API_KEY" | "CARDSIQ_BATCH_SIZE">;
  now: () => Date;
  /** How long rate-limited cards wait before their single retry. */
  rateLimitWaitMs?: number;
};

const CARDSIQ_API = { company: "CardsIQ", part: "API" } as const;
const PATH = "/api/price-batch";

/** The wait that CardsIQ's known client uses. */
const RATE_LIMIT_WAIT_MS = 3000;

const TEST_CARD: PricedCard = { company: "PSA", certNumber: "98174651" };

type Told = PriceOutcome | "rate_limited";

/** Prices cards at CardsIQ by cert number, several per call (README.md). */
export function createCardsIq({
  endpoint,
  settings,
  now,
  rateLimitWaitMs = RATE_LIMIT_WAIT_MS,
}: CardsIqParts): PriceSource {
  async function askOnce(address: string, secret: string, cards: readonly PricedCard[]): Promise<Told[]> {
    const answer = await endpoint({
      url: address,
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify(
        cards.map(({ company, certNumber }) => ({ cert: certNumber, grader: company.toLowerCase() })),
      ),
    });
    const safe = withoutSecret(answer, secret);
    if (safe.kind !== "answered") return cards.map(() => ofCall(noAnswer(CARDSIQ_API, safe)));
    const batch = readBatch(safe, now());
    return cards.map((card) => (batch.ok ? outcomeOf(card, batch.value, now()) : ofCall(batch.outcome)));
  }

  async function askTwice(address: string, secret: string, cards: readonly PricedCard[]): Promise<PriceOutcome[]> {
    const first = await askOnce(address, secret, cards);
    const limited = cards.filter((_card, at) => first[at] === "rate_limited");
    if (limited.length > 0) await sleep(rateLimitWaitMs);
    const second = limited.length > 0 ? await askOnce(address, secret, limited) : [];
    return cards.map((card, at) => {
      const outcome = first[at] === "rate_limited" ? second[limited.indexOf(card)] : first[at];
      return outcome === undefined || outcome === "rate_limited" ? stillLimited() : outcome;
    });
  }

  async function price(cards: readonly PricedCard[]): Promise<PriceOutcome[]> {
    const { CARDSIQ_API_URL: base, CARDSIQ_API_KEY: key } = settings;
    if (!base || !key) return cards.map(() => NOT_CONFIGURED);
    if (cards.length === 0) return [];
    return askTwice(base.endsWith(PATH) ? base : `${base}${PATH}`, key, cards);
  }

  return {
    name: "cardsiq",
    get isOn() {
      return Boolean(settings.CARDSIQ_API_URL && settings.CARDSIQ_API_KEY);
    },
    batchSize: settings.CARDSIQ_BATCH_SIZE,
    refusals: async () => [],
    async tryCredentials() {
      const [outcome] = await price([TEST_CARD]);
      return outcome === undefined || outcome.code === "found" || outcome.code === "not_found" ? null : outcome;
    },
    callsPerBatch: 1,
    price,
  };
}

const NOT_CONFIGURED: PriceOutcome = {
  code: "not_configured",
  message:
    "CardsIQ is not configured: an administrator must enter CARDSIQ_API_URL and CARDSIQ_API_KEY in Admin → Sources",
};

function ofCall(outcome: Refused): PriceOutcome {
  return outcome.code === "quota_exhausted" ? outcome : { ...outcome, ofCall: true };
}

function stillLimited(): Refused {
  return unavailable("CardsIQ could not look up the card because of its rate limit. Try again later", null);
}

function readBatch(answer: Answered, now: Date): Reading<BatchResult[]> {
  if (answer.status !== 200) return { ok: false, outcome: refusalOf(CARDSIQ_API, answer, now) };
  const json = parseJson(answer.text);
  if (!json.ok) return { ok: false, outcome: notUnderstood(CARDSIQ_API, answer, json.cause) };
  const results = readResults(json.value);
  return results === null
    ? { ok: false, outcome: notUnderstood(CARDSIQ_API, answer, null) }
    : { ok: true, value: results };
}

import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { cutText } from "@slabdesk/contract/certs/text.ts";
import { postJson } from "../../upstreams/endpoint.ts";
import { noAnswer, parseJson, unavailable, withoutSecret, type Answered } from "../../graders/upstream-answers.ts";
import {
  notConfigured,
  notUnderstood,
  refusalOf,
  type PriceOutcome,
  type PriceSource,
  type PricedCard,
} from "../price-source.ts";
import type { ClientParts, Reading, Refused } from "../../graders/grader.ts";
import { isSameCert, readCents, readConfidence, readSales } from "../field-values.ts";

const CARDSIQ_API = { company: "CardsIQ", part: "API" } as const;
const PATH = "/api/price-batch";

/** The wait that CardsIQ's known client uses. */
const RATE_LIMIT_WAIT_MS = 3000;

const TEST_CARD: PricedCard = { company: "PSA", certNumber: "98174651" };

type Told = PriceOutcome | "rate_limited";

/** Prices cards at CardsIQ by cert number, several per call (README.md). */
export function createCardsIq(
  { endpoint, settings, now }: ClientParts<"CARDSIQ_API_URL" | "CARDSIQ_API_KEY" | "CARDSIQ_BATCH_SIZE">,
  rateLimitWaitMs = RATE_LIMIT_WAIT_MS,
): PriceSource {
  async function askOnce(address: string, secret: string, cards: readonly PricedCard[]): Promise<Told[]> {
    const certs = cards.map(({ company, certNumber }) => ({ cert: certNumber, grader: company.toLowerCase() }));
    const answer = await endpoint(postJson(address, certs, { authorization: `Bearer ${secret}` }));
    const safe = withoutSecret(answer, secret);
    if (safe.kind !== "answered") return cards.map(() => ofCall(noAnswer(CARDSIQ_API, safe)));
    const batch = readBatch(safe, cards.length, now());
    return cards.map((card) => (batch.ok ? outcomeOf(card, batch.value, now()) : ofCall(batch.outcome)));
  }

  async function askTwice(address: string, secret: string, cards: readonly PricedCard[]): Promise<PriceOutcome[]> {
    const first = await askOnce(address, secret, cards);
    const limited = cards.filter((_card, at) => first[at] === "rate_limited");
    if (limited.length > 0) await sleep(rateLimitWaitMs);
    const second = limited.length > 0 ? await askOnce(address, secret, limited) : [];
    return cards.map((card, at) => {
      const outcome = first[at] === "rate_limited" ? second[limited.indexOf(card)] : first[at];
      return outcome === undefined || outcome === "rate_limited" ? STILL_LIMITED : outcome;
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
    isOn: () => Boolean(settings.CARDSIQ_API_URL && settings.CARDSIQ_API_KEY),
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

const NOT_CONFIGURED = notConfigured("CardsIQ", "CARDSIQ_API_URL and CARDSIQ_API_KEY");

function ofCall(outcome: Refused): PriceOutcome {
  return outcome.code === "quota_exhausted" ? outcome : { ...outcome, ofCall: true };
}

const LIMITED_MESSAGE = "CardsIQ could not look up the card because of its rate limit. Try again later";
const STILL_LIMITED = unavailable(LIMITED_MESSAGE, null);

/** Reads at most four results for each card, because a hostile answer can contain hundreds of thousands. */
function readBatch(answer: Answered, cards: number, now: Date): Reading<BatchResult[]> {
  if (answer.status !== 200) return { ok: false, outcome: refusalOf(CARDSIQ_API, answer, now) };
  const json = parseJson(answer.text);
  const reply = json.ok ? replySchema.safeParse(json.value).data : undefined;
  if (!reply) return { ok: false, outcome: notUnderstood(CARDSIQ_API, answer, json.ok ? null : json.cause) };
  return {
    ok: true,
    value: reply.results.slice(0, 4 * cards).flatMap((entry) => resultSchema.safeParse(entry).data ?? []),
  };
}

type BatchResult = z.output<typeof resultSchema>;

/** An object whose fields may all be missing; null if the value is not an object. */
const part = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullish().catch(null);

const resultSchema = z.object({
  cert: z.union([z.string(), z.number()]).transform((cert) => String(cert).trim().toUpperCase()),
  grader: z.string().transform((grader) => grader.trim().toUpperCase()),
  data: z.unknown().optional(),
});

const dataSchema = z.object({
  valuation: part({
    estimatedValue: z.unknown().optional(),
    lastSalePrice: z.unknown().optional(),
    confidence: z.unknown().optional(),
  }),
  market: part({ recentSales: z.array(z.unknown()).nullish().catch(null) }),
  cardsiq: part({ requiresReview: z.unknown().optional() }),
  errors: z.unknown().optional(),
  /** Replaces all other fields if one of CardsIQ's own upstreams failed. */
  error: z.unknown().optional(),
});

/** Returns the names of up to 50 errors. A hostile answer can contain 100,000. */
function namesOfErrors(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .slice(0, 50)
    .flatMap(([name, error]) => (error ? [name] : []));
}

const replySchema = z.object({ results: z.array(z.unknown()) });

/** The outcome for one card. Entries are matched by number and company, not by position. */
function outcomeOf(card: PricedCard, results: readonly BatchResult[], now: Date): Told {
  const { company, certNumber } = card;
  const own = results.filter(({ grader }) => grader === company);
  const result =
    own.find(({ cert }) => cert === certNumber.toUpperCase()) ?? own.find(({ cert }) => isSameCert(card, cert));
  if (!result) return unavailable(`CardsIQ's answer does not include ${company} ${certNumber}`, null);
  const noPrice: PriceOutcome = { code: "not_found", message: `CardsIQ has no price for ${company} ${certNumber}` };
  if (result.data === null) return noPrice;
  const parsed = dataSchema.safeParse(result.data);
  if (!parsed.success) return unavailable(`CardsIQ's answer for ${company} ${certNumber} is not valid`, parsed.error);
  const { valuation, market, cardsiq, error } = parsed.data;
  const errors = namesOfErrors(parsed.data.errors);
  if (errors.includes("lookup")) return "rate_limited";
  const estimateCents = readCents(valuation?.estimatedValue);
  const lastSaleCents = readCents(valuation?.lastSalePrice);
  if (estimateCents === null && lastSaleCents === null) {
    if (errors.length === 0 && !error) return noPrice;
    const cause = new Error(`Errors in ${cutText(errors.join(", ") || "the whole answer", 200)}`);
    return unavailable(`CardsIQ could not price ${company} ${certNumber}`, cause);
  }
  return {
    code: "found",
    estimateCents,
    lastSaleCents,
    lastSaleAt: null,
    confidence: readConfidence(valuation?.confidence),
    requiresReview: cardsiq?.requiresReview === true,
    month: null,
    sales: readSales(market?.recentSales ?? [], now),
    isCut: false,
  };
}

import type { Sale } from "@slabdesk/contract/market/sale.ts";
import type { Config } from "../../config.ts";
import type { Endpoints } from "../../upstreams/endpoint.ts";
import { unavailable } from "../../graders/upstream-answers.ts";
import type { PriceOutcome, PriceSource, PricedCard } from "../price-source.ts";
import { isSameCert, listsSales, readSales } from "../field-values.ts";
import type { Refused, Reply } from "../refusals.ts";
import { createCallable, unreadable, type Callable } from "./callable.ts";
import { createEstimates, type EstimateAnswer } from "./estimates.ts";
import { readProfile, readSalesList, saysAnything, type Profile } from "./map.ts";
import { createShortCache } from "./short-cache.ts";
import { createCardLadderSignIn, type CardLadderSignInParts } from "./sign-in.ts";

export type CardLadderParts = {
  endpoints: Pick<Endpoints, "cardladder-sign-in" | "cardladder">;
  settings: CardLadderSignInParts["settings"] & Pick<Config, "CARDLADDER_API_URL">;
  now: () => Date;
};

/** Enough for the 30 days that price metrics cover: the card with the most known sales had 118 in a year. */
const SALES_ASKED = 200;
/** Number of cached estimates, for cards that repeat within a sheet. */
const CARDS_KEPT = 300;

/**
 * Prices cards at CardLadder by certificate number: identifies the card, then gets its estimate and sales (README.md).
 */
export function createCardLadder({ endpoints, settings, now }: CardLadderParts): PriceSource {
  const signIn = createCardLadderSignIn({ endpoint: endpoints["cardladder-sign-in"], settings, now });
  const call = createCallable(endpoints.cardladder, signIn, settings, now);
  const estimate = createEstimates(call, now);
  const estimates = createShortCache<EstimateAnswer>(now, CARDS_KEPT);
  const isOn = Boolean(settings.CARDLADDER_WEB_KEY && settings.CARDLADDER_EMAIL && settings.CARDLADDER_PASSWORD);

  async function priceOf(card: PricedCard): Promise<PriceOutcome> {
    const built = await build(call, card);
    if (!built.ok) return built.outcome;
    const { profileId, condition, description } = built.value;
    const request = { profileId, gradingCompany: card.company.toLowerCase(), condition, description };
    const asked = JSON.stringify(Object.values(request));
    const estimated = await estimates.recall(asked, () => estimate(request));
    if (!estimated.ok) return estimated.outcome;
    const sold = await askSales(call, card, now);
    // Half a price would look like a whole one. A retry gets both, and the estimate is still cached.
    if (!sold.ok) return sold.outcome;
    if (!saysAnything(estimated.value) && sold.value.sales.length === 0) return noPrice(card);
    return { code: "found", ...estimated.value, requiresReview: false, ...sold.value };
  }

  return {
    name: "cardladder",
    isOn,
    batchSize: 1,
    callsPerBatch: 3,
    async tryCredentials() {
      const answer = await signIn.renew();
      return answer.ok ? null : answer.outcome;
    },
    async price(cards) {
      const outcomes: PriceOutcome[] = [];
      for (const card of cards) outcomes.push(isOn ? await priceOf(card) : NOT_CONFIGURED);
      return outcomes;
    },
  };
}

const NOT_CONFIGURED: PriceOutcome = {
  code: "not_configured",
  message:
    "CardLadder is not configured: an administrator must set CARDLADDER_WEB_KEY, CARDLADDER_EMAIL and CARDLADDER_PASSWORD",
};

function noPrice({ company, certNumber }: PricedCard): PriceOutcome {
  return { code: "not_found", message: `CardLadder has no price for ${company} ${certNumber}` };
}

async function build(call: Callable, card: PricedCard): Promise<Reply<Profile>> {
  const { company, certNumber } = card;
  const built = await call("httpbuildcollectioncard", { cert: certNumber, grader: company.toLowerCase() });
  if (built.kind === "no_such") return { ok: false, outcome: uncachedCert(card) };
  if (built.kind !== "result") return { ok: false, outcome: built.outcome };
  const profile = readProfile(built.result);
  if (profile === "unreadable") return { ok: false, outcome: unreadable(built.answer) };
  if (profile === null) return { ok: false, outcome: uncachedCert(card) };
  if (profile.serial !== null && !isSameCert(card, profile.serial)) {
    const cause = new Error(`Requested ${company} ${certNumber}, received ${profile.serial}`);
    const message = `CardLadder returned a different certificate than ${certNumber}`;
    return { ok: false, outcome: unavailable(message, cause) };
  }
  return { ok: true, value: profile };
}

function uncachedCert({ company, certNumber }: PricedCard): Refused {
  return { code: "not_found", message: `CardLadder does not know ${company} ${certNumber}` };
}

async function askSales(
  call: Callable,
  { company, certNumber }: PricedCard,
  now: () => Date,
): Promise<Reply<{ sales: Sale[]; isCut: boolean }>> {
  const order = { limit: SALES_ASKED, sort: "date", direction: "desc" };
  const sold = await call("httpprofilesales", { cert: certNumber, grader: company.toLowerCase(), ...order });
  if (sold.kind === "no_such") return { ok: true, value: { sales: [], isCut: false } };
  if (sold.kind !== "result") return { ok: false, outcome: sold.outcome };
  const list = readSalesList(sold.result);
  if (list === "unreadable" || (list.length > 0 && !listsSales(list)))
    return { ok: false, outcome: unreadable(sold.answer) };
  return { ok: true, value: { sales: readSales(list, now()), isCut: list.length >= SALES_ASKED } };
}

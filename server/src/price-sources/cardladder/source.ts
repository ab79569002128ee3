import type { Sale } from "@slabdesk/contract/market/money.ts";
import type { Config } from "../../config.ts";
import type { Endpoints } from "../../upstreams/endpoint.ts";
import type { SourceNotes } from "../../upstreams/source-notes.ts";
import {
  companyRefused,
  notConfigured,
  type PriceOutcome,
  type PriceSource,
  type PricedCard,
} from "../price-source.ts";
import { listsSales, readSales } from "../field-values.ts";
import type { Reading } from "../../graders/grader.ts";
import { createAppraisals } from "./appraisals.ts";
import { createCallable, unreadable, type Callable } from "./callable.ts";
import { readSalesList, saysAnything } from "./map.ts";
import { createMemory } from "./memory.ts";
import { createCardLadderSignIn, type CardLadderSignInParts } from "./sign-in.ts";

export type CardLadderParts = {
  endpoints: Pick<Endpoints, "cardladder-sign-in" | "cardladder">;
  settings: CardLadderSignInParts["settings"] & Pick<Config, "CARDLADDER_API_URL">;
  now: () => Date;
  notes: SourceNotes;
};

/** Enough for the 30 days that price metrics cover: the card with the most known sales had 118 in a year. */
const SALES_ASKED = 200;

/** Prices cards at CardLadder by cert number: identifies the card, then gets its estimate and sales (README.md). */
export function createCardLadder({ endpoints, settings, now, notes }: CardLadderParts): PriceSource {
  const signIn = createCardLadderSignIn({ endpoint: endpoints["cardladder-sign-in"], settings, now });
  const call = createCallable({ endpoint: endpoints.cardladder, settings, now }, signIn);
  const memory = createMemory(notes, now);
  const appraise = createAppraisals(call, memory, now);
  const isOn = (): boolean =>
    Boolean(settings.CARDLADDER_WEB_KEY && settings.CARDLADDER_EMAIL && settings.CARDLADDER_PASSWORD);

  async function priceOf(card: PricedCard): Promise<PriceOutcome> {
    const remembered = await memory.recall();
    if (remembered.refusals.some(({ company }) => company === card.company)) return companyRefused("CardLadder", card);
    const estimated = await appraise(card, remembered.answeredSet);
    if (!estimated.ok) return estimated.outcome;
    const sold = await askSales(call, card, now);
    // Half a price would look like a whole one. A retry gets both, and the estimate is still cached.
    if (!sold.ok) return sold.outcome;
    if (!saysAnything(estimated.value) && sold.value.sales.length === 0)
      return { code: "not_found", message: `CardLadder has no price for ${card.company} ${card.certNumber}` };
    return { code: "found", ...estimated.value, requiresReview: false, ...sold.value };
  }

  return {
    name: "cardladder",
    isOn,
    batchSize: 1,
    callsPerBatch: 3,
    refusals: async () => (isOn() ? (await memory.recall()).refusals : []),
    tryCredentials: () => signIn.renew().then((answer) => (answer.ok ? null : answer.outcome)),
    async price(cards) {
      const outcomes: PriceOutcome[] = [];
      for (const card of cards) outcomes.push(isOn() ? await priceOf(card) : NOT_CONFIGURED);
      return outcomes;
    },
  };
}

const CREDENTIALS = "CARDLADDER_WEB_KEY, CARDLADDER_EMAIL and CARDLADDER_PASSWORD";
const NOT_CONFIGURED = notConfigured("CardLadder", CREDENTIALS);

async function askSales(
  call: Callable,
  { company, certNumber }: PricedCard,
  now: () => Date,
): Promise<Reading<{ sales: Sale[]; isCut: boolean }>> {
  const order = { limit: SALES_ASKED, sort: "date", direction: "desc" };
  const sold = await call("httpprofilesales", { cert: certNumber, grader: company.toLowerCase(), ...order });
  if (sold.kind === "no_such") return { ok: true, value: { sales: [], isCut: false } };
  if (sold.kind !== "result") return { ok: false, outcome: sold.outcome };
  const list = readSalesList(sold.result);
  if (list === "unreadable" || (list.length > 0 && !listsSales(list)))
    return { ok: false, outcome: unreadable(sold.answer) };
  return { ok: true, value: { sales: readSales(list, now()), isCut: list.length >= SALES_ASKED } };
}

import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { CardladderFound } from "@slabdesk/contract/market/pricing.ts";
import type { CredentialProblem, NotFound, QuotaExhausted, Refused } from "../graders/grader.ts";
import * as answers from "../graders/upstream-answers.ts";

/** A slab to price. Its number is canonical. */
export type PricedCard = { company: Company; certNumber: string };

/** A source's prices for a card, null where it has none. `sales` are unordered. */
export type PriceFound = CardladderFound & { code: "found"; requiresReview: boolean };

/** A company whose cards a source refused to price. It is asked for them again at `until`. */
export type Refusal = { company: Company; until: Date };

/** Why there is no price. `ofCall`: the call failed for all its cards. `isRefused`: the source refused to price the card. */
export type NoPrice = NotFound & { ofCall?: true; isRefused?: true };

/** The result of one price request. Failures are values. `not_found`: the source has no price for the card. */
export type PriceOutcome = PriceFound | NoPrice | QuotaExhausted;

export type PriceSource = {
  name: PriceSourceName;
  /** Whether its credentials are set. Without them, no call is made. */
  isOn: () => boolean;
  batchSize: number;
  callsPerBatch: number;
  /** The companies whose cards it refuses now. No call is made for them. */
  refusals(): Promise<Refusal[]>;
  /** Tests the credentials with one call: a sign-in if the source has one, else a price request. */
  tryCredentials: () => Promise<CredentialProblem>;
  /** Prices up to `batchSize` cards. Returns one outcome per card in the same order. */
  price(cards: readonly PricedCard[]): Promise<PriceOutcome[]>;
};

export function companyRefused(source: string, { company }: PricedCard, cause?: unknown): NoPrice {
  const message = `${source} refuses ${company} cards. Slabdesk tries again a day after the refusal`;
  return { code: "not_found", message, cause, isRefused: true };
}

export function cardRefused(source: string, { company, certNumber }: PricedCard, cause?: unknown): NoPrice {
  return { code: "not_found", message: `${source} refuses ${company} ${certNumber}`, cause, isRefused: true };
}

export function notConfigured(source: string, settings: string): NoPrice {
  const message = `${source} is not configured: an administrator must enter ${settings} in Admin → Sources`;
  return { code: "not_configured", message };
}

/** The outcome of another status than 200. Both use 429 to limit the rate, and 404 means that the URL is wrong. */
export function refusalOf(source: answers.Source, answer: answers.Answered, now: Date): Refused {
  const rateRefusal = answers.rateRefusal(source, answer, now);
  if (rateRefusal) return rateRefusal;
  if (answer.status !== 404) return answers.apiRefusal(source, "", answer);
  const message = `${source.company}'s API was not found at the configured address (404)`;
  return answers.unavailable(message, answers.answerAsCause(answer));
}

export function notUnderstood(source: answers.Source, answer: answers.Answered, cause: unknown): Refused {
  return answers.isBotWall(answer) ? answers.blocked(source, answer) : answers.notUnderstood(source, answer, cause);
}

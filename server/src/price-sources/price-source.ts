import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Sale } from "@slabdesk/contract/market/sale.ts";
import type { CredentialProblem, NotFound, QuotaExhausted } from "../graders/grader.ts";

/** A slab to price. Its number is canonical. */
export type PricedCard = { company: Company; certNumber: string };

/**
 * A source's prices for a card, in cents, null where it has none. `sales` are unordered. `month` is the source's own
 * count and mean of the last month. `confidence` is 1 to 5.
 */
export type PriceFound = {
  code: "found";
  estimateCents: number | null;
  lastSaleCents: number | null;
  lastSaleAt: string | null;
  confidence: number | null;
  requiresReview: boolean;
  month: { count: number; averageCents: number | null } | null;
  sales: Sale[];
  /** Whether the list may be longer than requested. */
  isCut: boolean;
};

/** A company whose cards a source refused to price. It is asked for them again at `until`. */
export type Refusal = { company: Company; until: Date };

/**
 * Why there is no price. `ofCall` is set if the call failed for all its cards, whichever of them caused it.
 * `ofCompany` is set if the source refuses all cards of the company.
 */
export type NoPrice = NotFound & { ofCall?: true; ofCompany?: true };

/**
 * The result of one price request. Failures are values, not exceptions. `not_found`: the source has no price for the
 * card.
 */
export type PriceOutcome = PriceFound | NoPrice | QuotaExhausted;

export type PriceSource = {
  name: PriceSourceName;
  /** Whether its credentials are set. Without them, no call is made. */
  readonly isOn: boolean;
  /** Most cards per call. */
  batchSize: number;
  /** HTTP calls per batch without errors. */
  callsPerBatch: number;
  /** The companies whose cards it refuses now. No call is made for them. */
  refusals(): Promise<Refusal[]>;
  /** Tests the credentials with one call: a sign-in if the source has one, else a price request. */
  tryCredentials: () => Promise<CredentialProblem>;
  /** Prices up to `batchSize` cards. Returns one outcome per card in the same order. */
  price(cards: readonly PricedCard[]): Promise<PriceOutcome[]>;
};

/** The outcome of a card whose company the source refuses. */
export function companyRefused(source: string, { company }: PricedCard, cause?: unknown): NoPrice {
  const message = `${source} refuses ${company} cards. The next try is a day after the refusal`;
  return { code: "not_found", message, cause, ofCompany: true };
}

import type { PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Sale } from "@slabdesk/contract/market/sale.ts";
import type { CredentialProblem, NotFound, QuotaExhausted } from "../graders/grader.ts";

/** One slab whose price is asked for; the number is canonical. */
export type PricedCard = { company: Company; certNumber: string };

/**
 * What a price source says of a card, money in cents, null where it says nothing. `sales` are in no order. `month` is
 * the source's own count and mean of the last month. `confidence` is one to five.
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
  /** The list may have been longer than what was asked for. */
  isCut: boolean;
};

/**
 * What asking for one price came to: a value, never an exception. `not_found` is a card that the source has no price
 * of. `ofCall` is set where the call failed for all cards that it asked for, whichever of them was to blame.
 */
export type PriceOutcome = PriceFound | (NotFound & { ofCall?: true }) | QuotaExhausted;

/** The port of a price source. */
export type PriceSource = {
  name: PriceSourceName;
  /** Its credentials are set; without them nobody is called. */
  isOn: boolean;
  /** Cards that one call may ask for. */
  batchSize: number;
  /** HTTP calls that a batch takes when all goes well. */
  callsPerBatch: number;
  /** Signs in anew and asks for nothing; null where every call asks for a price. */
  tryCredentials: (() => Promise<CredentialProblem>) | null;
  /** Asks for up to `batchSize` cards; answers in their order, one for each. */
  price(cards: readonly PricedCard[]): Promise<PriceOutcome[]>;
};

import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Card, CardSource } from "@slabdesk/contract/api/cards.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";

/**
 * A card was found. `complete` is false when a part that the grader may have could not be read (pictures, details).
 * `quotaGone` says that the last call about it was refused for lack of quota.
 */
export type Found = {
  code: "found";
  card: Card;
  source: CardSource;
  notes: string;
  complete: boolean;
  quotaGone?: QuotaExhausted;
};

/** No card: why, in words for staff, and what stood behind it for the log. */
export type NotFound = {
  code: Exclude<OutcomeCode, "found" | "quota_exhausted" | "invalid_row">;
  message: string;
  cause?: unknown;
};

/**
 * The grader's limit is used up until `until`, or until the end of the day's window when it did not say. `limit` is
 * the number of calls a day it named, if it did.
 */
export type QuotaExhausted = { code: "quota_exhausted"; message: string; until: Date | null; limit: number | null };

/** What one look-up came to: a value, never an exception (DESIGN section 4). */
export type Outcome = Found | NotFound | QuotaExhausted;

/** Why credentials were not accepted, or could not be tried; null when they were accepted. */
export type CredentialProblem = NotFound | QuotaExhausted | null;

/** One grading company's two ways. Numbers are canonical (contract `parseCertNumber`). */
export type Grader = {
  company: Company;
  /** The API's credentials are set; without them `viaApi` calls nobody. */
  hasApi: boolean;
  /** Calls that a card costs when it is found at once. */
  callsPerCard: Record<CardSource, number>;
  /** Asks the company's API. `not_configured` when credentials are missing. */
  viaApi(certNumber: string): Promise<Outcome>;
  /** Signs in to the API anew and asks for nothing; null where every call of the API asks for a card. */
  tryCredentials: (() => Promise<CredentialProblem>) | null;
  /** Reads the company's public page; only what it plainly prints. */
  viaPage(certNumber: string): Promise<Outcome>;
};

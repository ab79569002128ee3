import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Card, CardSource } from "@slabdesk/contract/api/cards.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";

/**
 * A card was found. `complete` is false if a part that the grader may have (pictures, details) could not be read.
 * `quotaGone` is set if the last call for this card was refused for lack of quota.
 */
export type Found = {
  code: "found";
  card: Card;
  source: CardSource;
  notes: string;
  complete: boolean;
  quotaGone?: QuotaExhausted;
};

/** No card was found. `message` is for staff, `cause` for the log. */
export type NotFound = {
  code: Exclude<OutcomeCode, "found" | "quota_exhausted" | "invalid_row">;
  message: string;
  cause?: unknown;
};

/**
 * The grader's quota is used up until `until`, or until the end of the 24-hour window if null. `limit` is the number of
 * calls per day that the grader named, if any.
 */
export type QuotaExhausted = { code: "quota_exhausted"; message: string; until: Date | null; limit: number | null };

/** The result of one look-up. Look-ups return failures as values and don't throw. */
export type Outcome = Found | NotFound | QuotaExhausted;

/** Why credentials were rejected or could not be checked; null if they were accepted. */
export type CredentialProblem = NotFound | QuotaExhausted | null;

/** A grading company's API and page. Certificate numbers are canonical (contract `parseCertNumber`). */
export type Grader = {
  company: Company;
  /** Whether the API's credentials are set. Without them, `viaApi` makes no call. */
  hasApi: boolean;
  /** Number of calls for a card that is found at once. */
  callsPerCard: Record<CardSource, number>;
  /** Looks up a card through the company's API. Returns `not_configured` if credentials are missing. */
  viaApi(certNumber: string): Promise<Outcome>;
  /** Signs in to the API again without a look-up; null if every API call looks up a card. */
  tryCredentials: (() => Promise<CredentialProblem>) | null;
  /** Reads the company's public page. Uses only what the page plainly prints. */
  viaPage(certNumber: string): Promise<Outcome>;
};

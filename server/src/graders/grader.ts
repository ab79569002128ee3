import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Card, CardSource } from "@slabdesk/contract/api/cards.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";

/** A card was found. `complete` is false when a part that the grader may have could not be read (pictures, details). */
export type Found = { code: "found"; card: Card; source: CardSource; notes: string; complete: boolean };

/** No card: why, in words for staff, and what stood behind it for the log. */
export type NotFound = {
  code: Exclude<OutcomeCode, "found" | "quota_exhausted" | "invalid_row">;
  message: string;
  cause?: unknown;
};

/** The grader's limit is used up until `until`; `limit` is the number of calls a day it named, if it did. */
export type QuotaExhausted = { code: "quota_exhausted"; message: string; until: Date; limit: number | null };

/** What one look-up came to: a value, never an exception (DESIGN section 4). */
export type Outcome = Found | NotFound | QuotaExhausted;

/** One grading company's two ways. Numbers are canonical (contract `parseCertNumber`). */
export type Grader = {
  company: Company;
  /** Asks the company's API. `not_configured` when credentials are missing. */
  viaApi(certNumber: string): Promise<Outcome>;
  /** Reads the company's public page; only what it plainly prints. */
  viaPage(certNumber: string): Promise<Outcome>;
};

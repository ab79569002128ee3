import type { Card, CardSource } from "@slabdesk/contract/api/cards.ts";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { Config } from "../config.ts";
import type { Endpoint, Endpoints } from "../upstreams/endpoint.ts";

/** `complete`: all parts were read. `imagesDue`: fetched later. `quotaGone`: no quota for this card's last call. */
export type Found = {
  code: "found";
  card: Card;
  source: CardSource;
  notes: string;
  complete: boolean;
  imagesDue?: { failures: number };
  quotaGone?: QuotaExhausted;
};

/** `message` is for staff, `cause` for the log. `needsAdministrator`: every call is refused until someone acts. */
export type NotFound = {
  code: Exclude<OutcomeCode, "found" | "quota_exhausted" | "invalid_row">;
  message: string;
  cause?: unknown;
  needsAdministrator?: boolean;
};

/** `until` is null if it ends with the 24-hour window. `limit`: the calls per day that the grader named, if any. */
export type QuotaExhausted = { code: "quota_exhausted"; message: string; until: Date | null; limit: number | null };

export type Refused = NotFound | QuotaExhausted;

/** The result of one lookup. Lookups return failures as values and don't throw. */
export type Outcome = Found | Refused;

export type Reading<T> = { ok: true; value: T } | { ok: false; outcome: Refused };

/** Looks up a canonical cert number with up to `calls` calls, by default as many as it needs. */
export type LookUp = (certNumber: string, calls?: number) => Promise<Outcome>;

/** The images of a card that was found without them. `note` tells staff why there are none. */
export type ImagesOutcome =
  | { code: "found"; images: { front: string | null; back: string | null } }
  | (Refused & { note: string });

/** Why credentials were rejected or could not be checked; null if they were accepted. */
export type CredentialProblem = Refused | null;

/** What an outcome of a test's lookup says about the credentials. Any answer about the card means they were accepted. */
export function problemOf(outcome: Outcome): CredentialProblem {
  const isAnswer = outcome.code === "found" || outcome.code === "not_found" || outcome.code === "invalid_number";
  return isAnswer ? null : outcome;
}

export type GraderParts = { endpoints: Endpoints; settings: Config; now: () => Date };
export type ClientParts<Setting extends keyof Config> = {
  endpoint: Endpoint;
  settings: Pick<Config, Setting>;
  now: () => Date;
};

export type Grader = {
  /** Whether the API's credentials are set. Without them, `viaApi` makes no call. */
  hasApi: () => boolean;
  /** Number of calls for a card that is found at once. */
  callsPerCard: Record<CardSource, number>;
  /** Looks up a card through the company's API. Returns `not_configured` if credentials are missing. */
  viaApi: LookUp;
  /** Tests the API's credentials with one call: a sign-in if the API has one, else a lookup. */
  tryCredentials: () => Promise<CredentialProblem>;
  /** Fetches only a card's images, with one API call, unless every lookup brings them. */
  imagesOf?: (certNumber: string) => Promise<ImagesOutcome>;
  viaPage: LookUp;
};

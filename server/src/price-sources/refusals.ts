import type { NotFound, QuotaExhausted } from "../graders/grader.ts";
import {
  answerAsCause,
  apiRefusal,
  isBotWall,
  isWebPage,
  retryAfter,
  unavailable,
} from "../graders/upstream-answers.ts";
import type { Answered, Source } from "../graders/upstream-answers.ts";

/** Why there is no price, as a value. */
export type Refused = NotFound | QuotaExhausted;

/** How long a rate limit without `Retry-After` is waited for: both sources limit the rate by 429, not the day. */
const SHORT_WAIT_MS = 60_000;

/**
 * What an API's status other than 200 means. A 404 says nothing of a card: neither source has an address per card, so
 * it is the address that is wrong.
 */
export function refusalOf(source: Source, answer: Answered, now: Date): Refused {
  if (answer.status === 429 && !isBotWall(answer)) return rateLimited(source, answer, now);
  if (answer.status === 404) {
    return unavailable(`${source.company}'s API is not at the address that is set (404)`, answerAsCause(answer));
  }
  return apiRefusal(source, "", answer);
}

export function rateLimited({ company, part }: Source, answer: Answered, now: Date): QuotaExhausted {
  return {
    code: "quota_exhausted",
    message: `${company}'s ${part} wants us to wait (rate limit)`,
    until: retryAfter(answer, now) ?? new Date(now.getTime() + SHORT_WAIT_MS),
    limit: null,
  };
}

/** A 200 that is no answer of this API. */
export function notUnderstood(source: Source, answer: Answered, cause: unknown): Refused {
  if (isBotWall(answer)) return apiRefusal(source, "", answer);
  const what = isWebPage(answer) ? "a web page" : "something that is not understood";
  return unavailable(`${source.company}'s API answered with ${what}`, answerAsCause(answer, cause));
}

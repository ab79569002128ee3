import type { NotFound, QuotaExhausted } from "../graders/grader.ts";
import {
  answerAsCause,
  apiRefusal,
  isBotWall,
  isWebPage,
  retryAfter,
  unavailable,
  type Answered,
  type Source,
} from "../graders/upstream-answers.ts";

/** Why there is no price. */
export type Refused = NotFound | QuotaExhausted;
/** What a call to a source returned. */
export type Reply<T> = { ok: true; value: T } | { ok: false; outcome: Refused };

/** The wait without a `Retry-After`. Both sources use 429 to limit the rate, not the calls per day. */
const SHORT_WAIT_MS = 60_000;

/**
 * The outcome of an API's status other than 200. A 404 means that the configured URL is wrong, because neither source
 * has a URL per card.
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
    message: `${company}'s ${part} asked us to slow down (rate limit)`,
    until: retryAfter(answer, now) ?? new Date(now.getTime() + SHORT_WAIT_MS),
    limit: null,
  };
}

/** The outcome of a 200 that is not a valid answer of this API. */
export function notUnderstood(source: Source, answer: Answered, cause: unknown): Refused {
  if (isBotWall(answer)) return apiRefusal(source, "", answer);
  const what = isWebPage(answer) ? "a web page" : "an unexpected response";
  return unavailable(`${source.company}'s API returned ${what}`, answerAsCause(answer, cause));
}

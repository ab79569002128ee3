import type { Refused } from "../graders/grader.ts";
import * as answers from "../graders/upstream-answers.ts";

/**
 * The outcome of an API's status other than 200. Both sources use 429 to limit the rate, not the calls per day. A 404
 * means that the configured URL is wrong, because neither source has a URL per card.
 */
export function refusalOf(source: answers.Source, answer: answers.Answered, now: Date): Refused {
  const rateRefusal = answers.rateRefusal(source, answer, now);
  if (rateRefusal) return rateRefusal;
  if (answer.status !== 404) return answers.apiRefusal(source, "", answer);
  const message = `${source.company}'s API is not at the address that is set (404)`;
  return answers.unavailable(message, answers.answerAsCause(answer));
}

/** The outcome of a 200 that is not a valid answer of this API. */
export function notUnderstood(source: answers.Source, answer: answers.Answered, cause: unknown): Refused {
  return answers.isBotWall(answer) ? answers.blocked(source, answer) : answers.notUnderstood(source, answer, cause);
}

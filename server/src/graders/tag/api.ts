import { z } from "zod";
import type { Config } from "../../config.ts";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { joinTexts, readPictureUrl, readText } from "../card-text.ts";
import type { NotFound, Outcome } from "../grader.ts";
import {
  answerAsCause,
  apiRefusal,
  blocked,
  isBotWall,
  isWebPage,
  noAnswer,
  otherCert,
  parseJson,
  retryAfter,
  unavailable,
  withoutSecret,
} from "../upstream-answers.ts";
import type { Answered } from "../upstream-answers.ts";
import { mapTagCard } from "./map.ts";
import type { TagFacts } from "./map.ts";

export type TagApiParts = {
  endpoint: Endpoint;
  settings: Pick<Config, "TAG_API_URL" | "TAG_API_KEY">;
  now: () => Date;
};

const TAG_API = { company: "TAG", part: "API" } as const;
/** The wait without a `Retry-After`. TAG limits the rate, not the calls per day. */
const SHORT_WAIT_MS = 60_000;

/** Looks up a card in TAG's API with the key from TAG. One call per card. Encrypted answers are not read. */
export function createTagApi({ endpoint, settings, now }: TagApiParts): (certNumber: string) => Promise<Outcome> {
  return async (certNumber) => {
    if (!settings.TAG_API_KEY) {
      return {
        code: "not_configured",
        message: "TAG API credentials not configured: an administrator must set TAG_API_KEY",
      };
    }
    const answered = await endpoint({
      url: `${settings.TAG_API_URL}/graded-cards/public/detail/${encodeURIComponent(certNumber)}`,
      headers: { "x-tag-key": settings.TAG_API_KEY },
    });
    const answer = withoutSecret(answered, settings.TAG_API_KEY);
    return answer.kind === "answered" ? readDetail(answer, certNumber, now()) : noAnswer(TAG_API, answer);
  };
}

const text = z.union([z.string(), z.number()]).nullish();
const detailSchema = z.object({
  data: z.object({
    certificateValue: z.string(),
    grade: text,
    scoreTotal: text,
    cardName: text,
    card: z.object({ cardNumber: text, cardName: text }).nullish(),
    cardSet: z.object({ brandName: text, setName: text, subsetName: text, cardSetType: text, setYear: text }).nullish(),
    pop: z.object({ grade: text, gradeAlias: text }).nullish(),
    imageSlabbedFront: z.string().nullish(),
    imageSlabbedBack: z.string().nullish(),
  }),
});
type Detail = z.output<typeof detailSchema>["data"];

/** `<initialization vector>:<cipher text>`, both in hexadecimal. */
const ENCRYPTED = /^\s*"?[\da-f]{16,}:[\da-f]+"?\s*$/i;

function readDetail(answer: Answered, certNumber: string, now: Date): Outcome {
  if (answer.status === 429 && !isBotWall(answer)) {
    const until = retryAfter(answer, now) ?? new Date(now.getTime() + SHORT_WAIT_MS);
    return { code: "quota_exhausted", message: "TAG's API asks us to wait (rate limit)", until, limit: null };
  }
  if (answer.status !== 200) return apiRefusal(TAG_API, certNumber, answer);
  if (ENCRYPTED.test(answer.text)) {
    return unavailable(
      "TAG's API returned encrypted data, which is not read without TAG's permission",
      answerAsCause(answer),
    );
  }
  const json = parseJson(answer.text);
  if (!json.ok) return isBotWall(answer) ? blocked(TAG_API, answer) : notUnderstood(answer, json.cause);
  const detail = detailSchema.safeParse(json.value);
  if (!detail.success) return notUnderstood(answer, detail.error);
  const { data } = detail.data;
  const answered = data.certificateValue.trim().toUpperCase();
  if (answered !== certNumber) return otherCert("TAG", certNumber, answered);
  const pictures = { front: readPictureUrl(data.imageSlabbedFront), back: readPictureUrl(data.imageSlabbedBack) };
  return {
    code: "found",
    source: "api",
    card: mapTagCard(certNumber, factsOf(data), pictures),
    notes: "",
    complete: true,
  };
}

function notUnderstood(answer: Answered, cause: unknown): NotFound {
  const what = isWebPage(answer) ? "a web page" : "an unexpected response";
  return unavailable(`TAG's API returned ${what}`, answerAsCause(answer, cause));
}

/**
 * `pop.tagGrade` is the score out of 1,000, not a grade. `pop.grade` and `gradeAlias` are the two halves of `grade`.
 */
function factsOf({ grade, scoreTotal, cardName, card, cardSet, pop }: Detail): TagFacts {
  return {
    cardName: readText(cardName) ?? readText(card?.cardName),
    cardNumber: readText(card?.cardNumber),
    brandName: readText(cardSet?.brandName),
    setName: readText(cardSet?.setName),
    subsetName: readText(cardSet?.subsetName),
    cardSetType: readText(cardSet?.cardSetType),
    setYear: readText(cardSet?.setYear),
    grade: readText(grade) ?? joinTexts(readText(pop?.grade), readText(pop?.gradeAlias)),
    scoreTotal: readText(scoreTotal),
  };
}

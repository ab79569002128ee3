import { z } from "zod";
import { recordOf } from "@slabdesk/contract/api/cards.ts";
import { joinTexts, jsonText, populationOf, readImageUrl } from "../card-text.ts";
import type { ClientParts, LookUp, Outcome } from "../grader.ts";
import * as answers from "../upstream-answers.ts";
import { mapTagCard, NO_FACTS, SET_FACTS, type TagFacts } from "./map.ts";

const TAG_API = { company: "TAG", part: "API" } as const;

/** Looks up a card in TAG's API with the key from TAG. One call per card. Encrypted answers are not read. */
export function createTagApi({ endpoint, settings, now }: ClientParts<"TAG_API_URL" | "TAG_API_KEY">): LookUp {
  return async (certNumber) => {
    const key = settings.TAG_API_KEY;
    if (!key) return answers.notConfigured("TAG", "a key that TAG issued (TAG_API_KEY)");
    const url = `${settings.TAG_API_URL}/graded-cards/public/detail/${encodeURIComponent(certNumber)}`;
    const answer = answers.withoutSecret(await endpoint({ url, headers: { "x-tag-key": key } }), key);
    return answer.kind === "answered" ? readDetail(answer, certNumber, now()) : answers.noAnswer(TAG_API, answer);
  };
}

const detailSchema = z.object({
  data: z.object({
    certificateValue: z.string(),
    grade: jsonText,
    scoreTotal: jsonText,
    cardName: jsonText,
    card: z.object({ cardNumber: jsonText, cardName: jsonText }).nullish(),
    cardSet: z.object(recordOf(SET_FACTS, (name) => [name, jsonText])).nullish(),
    pop: z.object({ grade: jsonText, gradeAlias: jsonText, totalByGrade: z.unknown().optional() }).nullish(),
    imageSlabbedFront: z.string().nullish(),
    imageSlabbedBack: z.string().nullish(),
  }),
});

const ASK_TAG = "Ask TAG for a key; until then, enter the card by hand from its report on the TAG website";

/** `<initialization vector>:<cipher text>`, both in hexadecimal. */
const ENCRYPTED = /^\s*"?[\da-f]{16,}:[\da-f]+"?\s*$/i;
const ENCRYPTED_MESSAGE = `TAG's API answered with an encrypted report, which only TAG's own site can read. ${ASK_TAG}`;

function readDetail(answer: answers.Answered, certNumber: string, now: Date): Outcome {
  const rateRefusal = answers.rateRefusal(TAG_API, answer, now);
  if (rateRefusal) return rateRefusal;
  // A web page or a challenge says nothing about the key.
  const isRefused = (answer.status === 401 || answer.status === 403) && !answers.isWebPage(answer);
  if (isRefused && !answers.isBotWall(answer))
    return answers.forbidden(`TAG refused our key (${answer.status}). ${ASK_TAG}`, answer);
  if (answer.status !== 200) return answers.apiRefusal(TAG_API, certNumber, answer);
  if (ENCRYPTED.test(answer.text)) return answers.forbidden(ENCRYPTED_MESSAGE, answer);
  const detail = answers.readJson(TAG_API, answer, detailSchema);
  if (!detail.ok) return detail.outcome;
  const { data } = detail.value;
  const answered = data.certificateValue.trim().toUpperCase();
  if (answered !== certNumber) return answers.otherCert("TAG", certNumber, answered);
  const images = { front: readImageUrl(data.imageSlabbedFront), back: readImageUrl(data.imageSlabbedBack) };
  // TAG counts the cards at the grade and in total, but not those at higher grades.
  const population = populationOf({ atGrade: data.pop?.totalByGrade, higher: null }, now);
  const card = { ...mapTagCard(certNumber, factsOf(data), images), ...population };
  return { code: "found", source: "api", card, notes: "", complete: true };
}

/** `pop.tagGrade` is the score out of 1,000, not a grade. `pop` has the two halves of `grade`. */
function factsOf({ grade, scoreTotal, cardName, card, cardSet, pop }: z.output<typeof detailSchema>["data"]): TagFacts {
  return {
    ...NO_FACTS,
    ...cardSet,
    cardName: cardName ?? card?.cardName ?? null,
    cardNumber: card?.cardNumber ?? null,
    grade: grade ?? joinTexts(pop?.grade ?? null, pop?.gradeAlias ?? null),
    scoreTotal,
  };
}

import { z } from "zod";
import type { Config } from "../../config.ts";
import type { Endpoint, UpstreamAnswer } from "../../upstreams/endpoint.ts";
import { joinTexts, readPictureUrl, readText } from "../card-text.ts";
import type { Text } from "../card-text.ts";
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
  unavailable,
  withoutSecret,
} from "../upstream-answers.ts";
import type { Answered } from "../upstream-answers.ts";
import { createCgcLogin, type CgcLogin } from "./login.ts";
import { mapCgcCard } from "./map.ts";
import type { CgcFacts } from "./map.ts";
import { CGC_API, rateLimited } from "./rate-limit.ts";

export type CgcApiParts = {
  endpoint: Endpoint;
  settings: Pick<Config, "CGC_API_URL" | "CGC_API_USERNAME" | "CGC_API_PASSWORD">;
  now: () => Date;
  login?: CgcLogin;
};

/**
 * Looks up a certificate in the dealer API: a login if there is no valid token, then one call for card and pictures.
 */
export function createCgcApi({
  endpoint,
  settings,
  now,
  login = createCgcLogin({ endpoint, settings, now }),
}: CgcApiParts): (certNumber: string) => Promise<Outcome> {
  const lookUp = async (certNumber: string, token: string): Promise<UpstreamAnswer> => {
    const path = `/cards/certifications/v3/lookup/${encodeURIComponent(certNumber)}?include=pop,images`;
    const answer = await endpoint({
      url: `${settings.CGC_API_URL}${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    return withoutSecret(answer, token);
  };

  return async (certNumber) => {
    if (!settings.CGC_API_USERNAME || !settings.CGC_API_PASSWORD) {
      const message =
        "CGC API credentials not configured: an administrator must set CGC_API_USERNAME and CGC_API_PASSWORD";
      return { code: "not_configured", message };
    }
    const first = await login.token();
    if (!first.ok) return first.outcome;
    let answer = await lookUp(certNumber, first.token);
    if (answer.kind === "answered" && answer.status === 401) {
      login.forget(first.token);
      const second = await login.token();
      if (!second.ok) return second.outcome;
      answer = await lookUp(certNumber, second.token);
      if (answer.kind === "answered" && answer.status === 401) login.forget(second.token);
    }
    return answer.kind === "answered" ? readLookup(answer, certNumber, now()) : noAnswer(CGC_API, answer);
  };
}

const text = z.union([z.string(), z.number()]).nullish();
const lookupSchema = z.object({
  certNumber: text,
  grade: z.union([z.object({ displayGrade: text }).transform(({ displayGrade }) => displayGrade), text]),
  collectible: z.object({
    collectibleType: text,
    collectibleSubtype: text,
    cardName: text,
    playerName: text,
    player: text,
    cardNumber: text,
    cardYear: text,
    game: text,
    setName: text,
    makerName: text,
    language: text,
    variant1: text,
    variant2: text,
  }),
  images: z.object({ frontUrl: z.string().nullish(), rearUrl: z.string().nullish() }).nullish(),
  graderNotes: z.union([z.array(z.string()), text]),
});
type Lookup = z.output<typeof lookupSchema>;

function readLookup(answer: Answered, certNumber: string, now: Date): Outcome {
  if (answer.status === 429 && !isBotWall(answer)) return rateLimited(answer, now);
  if (answer.status !== 200) return apiRefusal(CGC_API, certNumber, answer);
  const json = parseJson(answer.text);
  if (!json.ok) return isBotWall(answer) ? blocked(CGC_API, answer) : notUnderstood(answer, json.cause);
  const lookup = lookupSchema.safeParse(json.value);
  if (!lookup.success) return notUnderstood(answer, lookup.error);
  const answered = readText(lookup.data.certNumber)?.replaceAll("-", "") ?? null;
  if (answered === null) return notUnderstood(answer, null);
  if (answered !== certNumber) return otherCert("CGC", certNumber, answered);
  const { images } = lookup.data;
  const pictures = { front: readPictureUrl(images?.frontUrl), back: readPictureUrl(images?.rearUrl) };
  return {
    code: "found",
    source: "api",
    card: mapCgcCard(certNumber, factsOf(lookup.data), pictures),
    notes: "",
    complete: true,
  };
}

function notUnderstood(answer: Answered, cause: unknown): NotFound {
  const what = isWebPage(answer) ? "a web page" : "an unexpected response";
  return unavailable(`CGC's API returned ${what}`, answerAsCause(answer, cause));
}

function factsOf({ grade, collectible, graderNotes }: Lookup): CgcFacts {
  const game = readText(collectible.game);
  const manufacturer = readText(collectible.makerName);
  const playerName = readText(collectible.playerName) ?? readText(collectible.player);
  return {
    isSports: isSports(collectible, { game, manufacturer, playerName }),
    year: readText(collectible.cardYear),
    manufacturer,
    cardSet: readText(collectible.setName),
    cardNumber: readText(collectible.cardNumber),
    cardName: readText(collectible.cardName),
    playerName,
    game,
    language: readText(collectible.language),
    variant1: readText(collectible.variant1),
    variant2: readText(collectible.variant2),
    grade: readText(grade),
    graderNotes: Array.isArray(graderNotes) ? joinTexts(...graderNotes.map(readText)) : readText(graderNotes),
  };
}

/** The API usually names the kind of card. Otherwise a game means a TCG card; a player or maker without one, sports. */
function isSports(
  collectible: Lookup["collectible"],
  known: { game: Text; manufacturer: Text; playerName: Text },
): boolean {
  const kind = `${collectible.collectibleType ?? ""} ${collectible.collectibleSubtype ?? ""}`;
  if (/sport/i.test(kind)) return !/non-?sport/i.test(kind);
  return known.playerName !== null || (known.manufacturer !== null && known.game === null);
}

import { z } from "zod";
import type { UpstreamAnswer } from "../../upstreams/endpoint.ts";
import { joinTexts, jsonText, readPictureUrl, readText, type Text } from "../card-text.ts";
import type { ClientParts, LookUp, Outcome } from "../grader.ts";
import * as answers from "../upstream-answers.ts";
import { CGC_API, type CgcLogin, type CgcSetting } from "./login.ts";
import { mapCgcCard, type CgcFacts } from "./map.ts";
import { readCgcPopulation } from "./population.ts";

/** Looks up a certificate in the dealer API: a login if there is no valid token, then one call for card and pictures. */
export function createCgcApi(parts: ClientParts<CgcSetting> & { login: CgcLogin }): LookUp {
  const { endpoint, settings, now, login } = parts;
  const lookUp = async (certNumber: string, token: string): Promise<UpstreamAnswer> => {
    const path = `/cards/certifications/v3/lookup/${encodeURIComponent(certNumber)}?include=pop,images`;
    const headers = { authorization: `Bearer ${token}` };
    return answers.withoutSecret(await endpoint({ url: `${settings.CGC_API_URL}${path}`, headers }), token);
  };

  return async (certNumber) => {
    if (!settings.CGC_API_USERNAME || !settings.CGC_API_PASSWORD) {
      return answers.notConfigured("CGC", "CGC_API_USERNAME and CGC_API_PASSWORD");
    }
    const first = await login.token();
    if (!first.ok) return first.outcome;
    let answer = await lookUp(certNumber, first.value);
    if (answer.kind === "answered" && answer.status === 401) {
      login.forget(first.value);
      const second = await login.token();
      if (!second.ok) return second.outcome;
      answer = await lookUp(certNumber, second.value);
      if (answer.kind === "answered" && answer.status === 401) login.forget(second.value);
    }
    return answer.kind === "answered" ? readLookup(answer, certNumber, now()) : answers.noAnswer(CGC_API, answer);
  };
}

const lookupSchema = z.object({
  certNumber: jsonText,
  grade: z.union([z.object({ displayGrade: jsonText }).transform(({ displayGrade }) => displayGrade), jsonText]),
  collectible: z.object({
    collectibleType: jsonText,
    collectibleSubtype: jsonText,
    cardName: jsonText,
    playerName: jsonText,
    player: jsonText,
    cardNumber: jsonText,
    cardYear: jsonText,
    game: jsonText,
    setName: jsonText,
    makerName: jsonText,
    language: jsonText,
    variant1: jsonText,
    variant2: jsonText,
  }),
  images: z.object({ frontUrl: z.string().nullish(), rearUrl: z.string().nullish() }).nullish(),
  graderNotes: z.union([z.array(z.string()).transform((notes) => joinTexts(...notes.map(readText))), jsonText]),
  population: z.unknown().optional(),
  populationReport: z.unknown().optional(),
});
type Lookup = z.output<typeof lookupSchema>;

function readLookup(answer: answers.Answered, certNumber: string, now: Date): Outcome {
  const rateRefusal = answers.rateRefusal(CGC_API, answer, now);
  if (rateRefusal) return rateRefusal;
  if (answer.status !== 200) return answers.apiRefusal(CGC_API, certNumber, answer);
  const lookup = answers.readJson(CGC_API, answer, lookupSchema);
  if (!lookup.ok) return lookup.outcome;
  const { images } = lookup.value;
  const answered = lookup.value.certNumber?.replaceAll("-", "") ?? null;
  if (answered === null) return answers.notUnderstood(CGC_API, answer, null);
  if (answered !== certNumber) return answers.otherCert("CGC", certNumber, answered);
  const pictures = { front: readPictureUrl(images?.frontUrl), back: readPictureUrl(images?.rearUrl) };
  const population = readCgcPopulation(lookup.value, lookup.value.grade, now);
  const card = { ...mapCgcCard(certNumber, factsOf(lookup.value), pictures), ...population };
  return { code: "found", source: "api", card, notes: "", complete: true };
}

function factsOf({ grade, collectible, graderNotes }: Lookup): CgcFacts {
  const { game, makerName: manufacturer, cardYear: year, setName: cardSet } = collectible;
  const playerName = collectible.playerName ?? collectible.player;
  const isSports = isSportsCard(collectible, { game, manufacturer, playerName });
  return { ...collectible, isSports, year, manufacturer, cardSet, playerName, grade, graderNotes };
}

/** The API usually names the kind of card. Otherwise a game means a TCG card; a player or maker without one, sports. */
function isSportsCard(
  { collectibleType, collectibleSubtype }: Lookup["collectible"],
  known: { game: Text; manufacturer: Text; playerName: Text },
): boolean {
  const kind = `${collectibleType ?? ""} ${collectibleSubtype ?? ""}`;
  if (/sport/i.test(kind)) return !/non-?sport/i.test(kind);
  return known.playerName !== null || (known.manufacturer !== null && known.game === null);
}

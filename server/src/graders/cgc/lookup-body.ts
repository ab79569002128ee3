import { z } from "zod";
import type { Population } from "@slabdesk/contract/api/cards.ts";
import { parseNumericGrade } from "@slabdesk/contract/certs/grade.ts";
import * as cardText from "../card-text.ts";
import type { CgcFacts } from "./map.ts";

/* A lookup's body, nested or flat. No real one has been published, so either form may use the other's names. */

/** Text of an optional value; anything else counts as missing. */
const looseText = cardText.jsonText.catch(null);
const url = z.string().nullish().catch(null);
const notes = z.union([
  cardText.shortListOf(z.string()).transform((list) => cardText.joinTexts(...list.map(cardText.readText))),
  looseText,
]);

export const lookupSchema = z.looseObject({
  certNumber: looseText,
  certificationNumber: looseText,
  grade: z.union([
    z.object({ displayGrade: cardText.jsonText }).transform(({ displayGrade }) => displayGrade),
    cardText.jsonText,
  ]),
  gradeDisplay: looseText,
  collectible: z.looseObject({}).nullish(),
  images: z.object({ frontUrl: url, front: url, rearUrl: url, rear: url }).nullish(),
  frontUrl: url,
  rearUrl: url,
  graderNotes: notes,
  notes,
  additionalInfo: z.object({ graderNotes: notes }).nullish().catch(null),
  population: z.unknown().optional(),
  populationReport: z.unknown().optional(),
});
export type Lookup = z.output<typeof lookupSchema>;

export function numberOf({ certNumber, certificationNumber }: Lookup): cardText.Text {
  return (certNumber ?? certificationNumber)?.replaceAll("-", "") ?? null;
}

export function factsOf(lookup: Lookup): CgcFacts | null {
  const card: Record<string, unknown> = lookup.collectible ?? lookup;
  const text = (...names: string[]): cardText.Text =>
    names.map((name) => looseText.parse(card[name])).find((value) => value !== null) ?? null;
  const facts = {
    cardName: text("cardName", "subject"),
    playerName: text("playerName", "player"),
    game: text("game", "category"),
    manufacturer: text("makerName", "manufacturer", "brand", "maker"),
    cardSet: text("setName", "set"),
    cardNumber: text("cardNumber", "number"),
    year: text("cardYear", "year"),
    language: text("language"),
    variant1: text("variant1", "variant"),
    variant2: text("variant2"),
    grade: lookup.grade ?? lookup.gradeDisplay,
    graderNotes: lookup.graderNotes ?? lookup.notes ?? lookup.additionalInfo?.graderNotes ?? null,
  };
  const { cardName, playerName, cardSet, cardNumber } = facts;
  const isDescribed = [cardName, playerName, cardSet, cardNumber].some((value) => value !== null);
  if (!lookup.collectible && !isDescribed) return null;
  const kind = cardText.joinTexts(text("collectibleType"), text("collectibleSubtype"), text("category"));
  return { isSports: isSportsCard(kind ?? "", facts), ...facts };
}

export function imagesOf({ images, frontUrl, rearUrl }: Lookup): cardText.Images {
  const front = images?.frontUrl ?? images?.front ?? frontUrl;
  const back = images?.rearUrl ?? images?.rear ?? rearUrl;
  return { front: cardText.readImageUrl(front), back: cardText.readImageUrl(back) };
}

/** The API usually names the kind of card. Otherwise a game means a TCG card; a player or maker without one, sports. */
function isSportsCard(kind: string, facts: Pick<CgcFacts, "game" | "manufacturer" | "playerName">): boolean {
  const { game, manufacturer, playerName } = facts;
  if (/sport/i.test(kind)) return !/non-?sport/i.test(kind);
  return playerName !== null || (manufacturer !== null && game === null);
}

/** Reads the population in any of the three shapes that clients know. Other shapes are unknown, not an error. */
export function readPopulation({ population, populationReport }: Lookup, grade: cardText.Text, now: Date): Population {
  const report = fieldsOf(populationReport);
  const counts = fieldsOf(population);
  const atGrade = report.get("samegrade") ?? counts.get("populationatgrade") ?? countOfGrade(counts, grade);
  return cardText.populationOf({ atGrade, higher: report.get("highergrades") }, now);
}

/** Further counts are ignored. There are about fifty grades. */
const MOST_COUNTS = 200;

function fieldsOf(value: unknown): Map<string, unknown> {
  if (typeof value !== "object" || value === null) return new Map();
  const counts = Object.entries(value).slice(0, MOST_COUNTS);
  return new Map(counts.map(([name, count]) => [gradeKey(name), count]));
}

/** The count under the grade's own name, or under the only name with the same number. */
function countOfGrade(counts: ReadonlyMap<string, unknown>, grade: cardText.Text): unknown {
  if (grade === null) return null;
  const own = counts.get(gradeKey(grade));
  if (own !== undefined) return own;
  const number = parseNumericGrade(grade);
  const same = [...counts].filter(([name]) => number !== null && parseNumericGrade(name) === number);
  return same.length === 1 ? same[0]?.[1] : null;
}

const gradeKey = (name: string): string => (cardText.foldText(name) ?? "").toLowerCase();

import { z } from "zod";
import { joinTexts, jsonText, readPictureUrl, readText, type Pictures, type Text } from "../card-text.ts";
import type { CgcFacts } from "./map.ts";

/*
 * A look-up's body, in two shapes: nested (grade and collectible are objects) and flat (all values at the top). Nobody
 * has published a real one, so either may carry the other's names.
 */

/** Text of an optional value; anything else counts as missing. */
const looseText = jsonText.catch(null);
const url = z.string().nullish().catch(null);
/** A list of notes, or one text. */
const notes = z.union([z.array(z.string()).transform((list) => joinTexts(...list.map(readText))), looseText]);

const cardSchema = z.object({
  collectibleType: looseText,
  collectibleSubtype: looseText,
  cardName: looseText,
  subject: looseText,
  playerName: looseText,
  player: looseText,
  cardNumber: looseText,
  number: looseText,
  cardYear: looseText,
  year: looseText,
  game: looseText,
  category: looseText,
  setName: looseText,
  set: looseText,
  makerName: looseText,
  manufacturer: looseText,
  brand: looseText,
  maker: looseText,
  language: looseText,
  variant1: looseText,
  variant: looseText,
  variant2: looseText,
});

export const lookupSchema = cardSchema.extend({
  certNumber: looseText,
  certificationNumber: looseText,
  grade: z.union([z.object({ displayGrade: jsonText }).transform(({ displayGrade }) => displayGrade), jsonText]),
  gradeDisplay: looseText,
  collectible: cardSchema.nullish(),
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

/** The certificate's number without its dash; null if the body has none. */
export function numberOf({ certNumber, certificationNumber }: Lookup): Text {
  return (certNumber ?? certificationNumber)?.replaceAll("-", "") ?? null;
}

/** The card's facts; null if the body describes no card. */
export function factsOf(lookup: Lookup): CgcFacts | null {
  const card = lookup.collectible ?? lookup;
  const grade = lookup.grade ?? lookup.gradeDisplay;
  const { language, variant2 } = card;
  const cardName = card.cardName ?? card.subject;
  const playerName = card.playerName ?? card.player;
  const game = card.game ?? card.category;
  const manufacturer = card.makerName ?? card.manufacturer ?? card.brand ?? card.maker;
  const cardSet = card.setName ?? card.set;
  const cardNumber = card.cardNumber ?? card.number;
  const year = card.cardYear ?? card.year;
  const isDescribed = [cardName, playerName, cardSet, cardNumber].some((value) => value !== null);
  if (!lookup.collectible && !isDescribed) return null;
  const isSports = isSportsCard(card, { game, manufacturer, playerName });
  const variant1 = card.variant1 ?? card.variant;
  const graderNotes = lookup.graderNotes ?? lookup.notes ?? lookup.additionalInfo?.graderNotes ?? null;
  const named = { cardName, playerName, game, manufacturer, cardSet, cardNumber, year };
  return { isSports, ...named, language, variant1, variant2, grade, graderNotes };
}

export function picturesOf({ images, frontUrl, rearUrl }: Lookup): Pictures {
  const front = images?.frontUrl ?? images?.front ?? frontUrl;
  const back = images?.rearUrl ?? images?.rear ?? rearUrl;
  return { front: readPictureUrl(front), back: readPictureUrl(back) };
}

/** The API usually names the kind of card. Otherwise a game means a TCG card; a player or maker without one, sports. */
function isSportsCard(
  { collectibleType, collectibleSubtype, category }: z.output<typeof cardSchema>,
  known: { game: Text; manufacturer: Text; playerName: Text },
): boolean {
  const kind = `${collectibleType ?? ""} ${collectibleSubtype ?? ""} ${category ?? ""}`;
  if (/sport/i.test(kind)) return !/non-?sport/i.test(kind);
  return known.playerName !== null || (known.manufacturer !== null && known.game === null);
}

import type { ResultRow } from "@slabdesk/contract/api/results.ts";

/** A card's category in shops. `name` is the sport or game; empty if unknown. */
export type CardKind = { kind: "sport" | "game" | "non-sport"; name: string };

/** The sports that the graders print, for example "BASEBALL CARDS" or "Hockey". Other sports aren't guessed. */
const SPORTS =
  "Baseball Basketball Football Hockey Soccer Golf Tennis Boxing Wrestling Racing Cricket Multi-Sport".split(" ");

/** Games with an unambiguous name, which is also matched in set names ("POKEMON JAPANESE BASE SET"). */
const GAMES: readonly [RegExp, string][] = [
  [/pok[eé]mon/i, "Pokémon"],
  [/yu-?gi-?oh/i, "Yu-Gi-Oh!"],
  [/magic:? the gathering/i, "Magic: The Gathering"],
  [/one piece/i, "One Piece"],
  [/lorcana/i, "Disney Lorcana"],
  [/dragon ?ball/i, "Dragon Ball"],
  [/digimon/i, "Digimon"],
  [/weiss schwarz/i, "Weiss Schwarz"],
];
const ANY_GAME = /\b(?:tcg|ccg|magic|mtg|card games?)\b/i;
const NON_SPORT = /\bnon-?sports?\b|\bmisc\b|\bentertainment\b/i;

/** Determines a card's category from its Sport/Game field, or else from its set. Null if neither names one. */
export function cardKindOf(row: Pick<ResultRow, "sport" | "brand">): CardKind | null {
  const sport = row.sport ?? "";
  const brand = row.brand ?? "";
  if (NON_SPORT.test(sport)) return { kind: "non-sport", name: "" };
  const known = SPORTS.find((name) => sport.toLowerCase().includes(name.toLowerCase()));
  if (known !== undefined) return { kind: "sport", name: known };
  const game = GAMES.find(([pattern]) => pattern.test(sport)) ?? GAMES.find(([pattern]) => pattern.test(brand));
  if (game !== undefined) return { kind: "game", name: game[1] };
  if (ANY_GAME.test(sport))
    return { kind: "game", name: /\b(?:magic|mtg)\b/i.test(sport) ? "Magic: The Gathering" : "" };
  return null;
}

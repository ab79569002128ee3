import type { ResultRow } from "@slabdesk/contract/api/results.ts";

/** What shops sort cards by; `name` is the sport or game in the register's words, empty when it names none. */
export type CardKind = { kind: "sport" | "game" | "non-sport"; name: string };

/** "BASEBALL CARDS", "Hockey": what the registers print; other sports are none of ours to guess. */
const SPORTS = [
  "Baseball",
  "Basketball",
  "Football",
  "Hockey",
  "Soccer",
  "Golf",
  "Tennis",
  "Boxing",
  "Wrestling",
  "Racing",
  "Cricket",
  "Multi-Sport",
];

/** Games whose name is no other word; they are known in the name of a set too ("POKEMON JAPANESE BASE SET"). */
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

/**
 * Which of the shops' three worlds a card belongs to, by its Sport/Game; where that names no game, or nothing at all,
 * by its set. Null when neither says.
 */
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

import type { Card } from "@slabdesk/contract/api/cards.ts";
import { assembleCard, joinTexts, withNumberSign, type Images, type Text } from "../card-text.ts";

type CardField = "year" | "cardNumber" | "cardName" | "game" | "language" | "variant1" | "variant2";
/** CGC's data, as printed. Sports cards have a manufacturer and a player instead of a card name and a game. */
export type CgcFacts = { isSports: boolean } & Record<
  CardField | "manufacturer" | "cardSet" | "playerName" | "grade" | "graderNotes",
  Text
>;

export function mapCgcCard(certNumber: string, facts: CgcFacts, images: Images): Card {
  const { isSports, manufacturer, cardSet, cardName, playerName, game, variant1 } = facts;
  const brand = isSports ? joinTexts(manufacturer, cardSet) : cardSet;
  const player = isSports ? (playerName ?? cardName) : (cardName ?? playerName);
  const itemName = joinTexts(facts.year, brand, withNumberSign(facts.cardNumber), player);
  const details = { ...facts, itemName, player, brand, sport: game, variety: joinTexts(variant1, facts.variant2) };
  return assembleCard("CGC", certNumber, details, images, { cardSet, cardName, game, variant1 });
}

import type { Card } from "@slabdesk/contract/api/cards.ts";
import { assembleCard, joinTexts, withNumberSign, type Pictures, type Text } from "../card-text.ts";

type CardField = "year" | "cardNumber" | "cardName" | "game" | "language" | "variant1" | "variant2";
/**
 * CGC's data on a card, as printed. The dealer API and the page are converted to this shape. Trading-card games have a
 * card name and a game; sports cards have a manufacturer and a player's name instead.
 */
export type CgcFacts = { isSports: boolean } & Record<
  CardField | "manufacturer" | "cardSet" | "playerName" | "grade" | "graderNotes",
  Text
>;

export function mapCgcCard(certNumber: string, facts: CgcFacts, pictures: Pictures): Card {
  const { isSports, manufacturer, cardSet, cardName, playerName, game, variant1 } = facts;
  const brand = isSports ? joinTexts(manufacturer, cardSet) : cardSet;
  const player = isSports ? (playerName ?? cardName) : (cardName ?? playerName);
  const itemName = joinTexts(facts.year, brand, withNumberSign(facts.cardNumber), player);
  const variety = joinTexts(variant1, facts.variant2);
  const details = { ...facts, itemName, player, brand, sport: game, variety };
  return assembleCard("CGC", certNumber, details, pictures, { cardSet, cardName, game, variant1 });
}

import type { Card } from "@slabdesk/contract/api/cards.ts";
import { assembleCard, joinTexts, withNumberSign } from "../card-text.ts";
import type { Pictures, Text } from "../card-text.ts";

/**
 * CGC's data on a card, as printed. The dealer API and the page are converted to this shape. Trading-card games have a
 * card name and a game; sports cards have a manufacturer and a player's name instead.
 */
export type CgcFacts = {
  isSports: boolean;
  year: Text;
  manufacturer: Text;
  cardSet: Text;
  cardNumber: Text;
  cardName: Text;
  playerName: Text;
  game: Text;
  language: Text;
  variant1: Text;
  variant2: Text;
  grade: Text;
  graderNotes: Text;
};

export function mapCgcCard(certNumber: string, facts: CgcFacts, pictures: Pictures): Card {
  const {
    isSports,
    year,
    manufacturer,
    cardSet,
    cardNumber,
    cardName,
    playerName,
    game,
    language,
    variant1,
    variant2,
    grade,
    graderNotes,
  } = facts;
  const brand = isSports ? joinTexts(manufacturer, cardSet) : cardSet;
  const player = isSports ? (playerName ?? cardName) : (cardName ?? playerName);
  return assembleCard(
    "CGC",
    certNumber,
    {
      itemName: joinTexts(year, brand, withNumberSign(cardNumber), player),
      player,
      year,
      brand,
      cardNumber,
      grade,
      sport: game,
      variety: joinTexts(variant1, variant2),
      language,
      graderNotes,
      pictures,
    },
    { cardSet, cardName, game, variant1 },
  );
}

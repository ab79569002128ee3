import type { Card } from "@slabdesk/contract/api/cards.ts";
import { assembleCard, joinTexts, withNumberSign, type Pictures, type Text } from "../card-text.ts";

/** PSA's data on a card, as printed. The API and both page layouts are converted to this shape. */
export type PsaFacts = Record<"year" | "brand" | "cardNumber" | "subject" | "variety" | "category" | "grade", Text>;

export function mapPsaCard(certNumber: string, facts: PsaFacts, pictures: Pictures): Card {
  const { year, brand, cardNumber, subject, variety, category } = facts;
  const itemName = joinTexts(year, brand, withNumberSign(cardNumber), subject, variety);
  return assembleCard("PSA", certNumber, { ...facts, itemName, player: subject, sport: category }, pictures);
}

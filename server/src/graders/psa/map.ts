import type { Card } from "@slabdesk/contract/api/cards.ts";
import { assembleCard, joinTexts, withNumberSign } from "../card-text.ts";
import type { Pictures, Text } from "../card-text.ts";

/** PSA's data on a card, as printed. The API and both page layouts are converted to this shape. */
export type PsaFacts = {
  year: Text;
  brand: Text;
  cardNumber: Text;
  subject: Text;
  variety: Text;
  category: Text;
  grade: Text;
};

export function mapPsaCard(certNumber: string, facts: PsaFacts, pictures: Pictures): Card {
  const { year, brand, cardNumber, subject, variety, category, grade } = facts;
  return assembleCard(
    "PSA",
    certNumber,
    {
      itemName: joinTexts(year, brand, withNumberSign(cardNumber), subject, variety),
      player: subject,
      year,
      brand,
      cardNumber,
      grade,
      sport: category,
      variety,
      language: null,
      graderNotes: null,
      pictures,
    },
    {},
  );
}

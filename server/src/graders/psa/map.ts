import type { Card } from "@slabdesk/contract/api/cards.ts";
import { assembleCard, joinTexts, withNumberSign } from "../card-text.ts";
import type { Pictures, Text } from "../card-text.ts";

/** What PSA knows of a card, in PSA's own words; the API and both page layouts come to this. */
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

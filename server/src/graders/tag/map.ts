import type { Card } from "@slabdesk/contract/api/cards.ts";
import { NO_PICTURES, assembleCard, joinTexts, withNumberSign } from "../card-text.ts";
import type { Pictures, Text } from "../card-text.ts";

/** What TAG knows of a card, in TAG's own words. */
export type TagFacts = {
  cardName: Text;
  cardNumber: Text;
  brandName: Text;
  setName: Text;
  subsetName: Text;
  cardSetType: Text;
  setYear: Text;
  grade: Text;
  scoreTotal: Text;
};

/** Nothing but the certificate link and photos is known: the page's case. */
export const NO_FACTS: TagFacts = {
  cardName: null,
  cardNumber: null,
  brandName: null,
  setName: null,
  subsetName: null,
  cardSetType: null,
  setYear: null,
  grade: null,
  scoreTotal: null,
};

export function mapTagCard(certNumber: string, facts: TagFacts, pictures: Pictures = NO_PICTURES): Card {
  const { cardName, cardNumber, brandName, setName, subsetName, cardSetType, setYear, grade, scoreTotal } = facts;
  return assembleCard(
    "TAG",
    certNumber,
    {
      itemName: joinTexts(setYear, brandName, setName, withNumberSign(cardNumber), cardName),
      player: cardName,
      year: setYear,
      brand: brandName,
      cardNumber,
      grade,
      sport: cardSetType,
      variety: subsetName,
      language: null,
      graderNotes: null,
      pictures,
    },
    { tagScore: scoreTotal, tagGrade: grade, setName },
  );
}

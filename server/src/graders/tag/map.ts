import type { Card } from "@slabdesk/contract/api/cards.ts";
import { NO_PICTURES, assembleCard, joinTexts, withNumberSign } from "../card-text.ts";
import type { Pictures, Text } from "../card-text.ts";

/** TAG's data on a card, as printed. */
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

/** No details are known. Used for the page, which gives only the certificate link and photos. */
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

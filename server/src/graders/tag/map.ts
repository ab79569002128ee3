import { recordOf, type Card } from "@slabdesk/contract/api/cards.ts";
import { assembleCard, joinTexts, withNumberSign, type Images, type Text } from "../card-text.ts";

const CARD_FACTS = ["cardName", "cardNumber", "grade", "scoreTotal"] as const;
export const SET_FACTS = ["brandName", "setName", "subsetName", "cardSetType", "setYear"] as const;
export type TagFacts = Record<(typeof CARD_FACTS | typeof SET_FACTS)[number], Text>;

/** No details are known. Used for the page, which gives only the certificate link and photos. */
export const NO_FACTS: TagFacts = recordOf([...CARD_FACTS, ...SET_FACTS], (name) => [name, null]);

export function mapTagCard(certNumber: string, facts: TagFacts, images: Images): Card {
  const { cardName, cardNumber, brandName, setName, setYear, grade } = facts;
  const details = {
    itemName: joinTexts(setYear, brandName, setName, withNumberSign(cardNumber), cardName),
    player: cardName,
    year: setYear,
    brand: brandName,
    cardNumber,
    grade,
    sport: facts.cardSetType,
    variety: facts.subsetName,
  };
  return assembleCard("TAG", certNumber, details, images, { tagScore: facts.scoreTotal, tagGrade: grade, setName });
}

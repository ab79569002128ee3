import { z } from "zod";
import type { Card } from "@slabdesk/contract/api/cards.ts";
import { AUTOGRAPH_BRAND } from "@slabdesk/contract/certs/company.ts";
import {
  assembleCard,
  foldText,
  joinTexts,
  jsonText,
  shortListOf,
  withNumberSign,
  type Images,
  type Text,
} from "../card-text.ts";

/** PSA's data on a card, as printed. The API and both page layouts are converted to this shape. */
export type PsaFacts = Record<"year" | "brand" | "cardNumber" | "subject" | "variety" | "category" | "grade", Text>;

export function mapPsaCard(certNumber: string, facts: PsaFacts, images: Images): Card {
  const { year, brand, cardNumber, subject, variety, category } = facts;
  const itemName = joinTexts(year, brand, withNumberSign(cardNumber), subject, variety);
  return assembleCard("PSA", certNumber, { ...facts, itemName, player: subject, sport: category }, images);
}

/** A certificate for an autograph (`DNACert`), with what the API's specification says. No real answer is public. */
export const autographSchema = z.looseObject({
  CertNumber: jsonText,
  ItemDescription: jsonText,
  AuthenticationResult: jsonText,
  SignatureGrade: jsonText,
  PrimarySubjects: shortListOf(z.looseObject({ FirstName: jsonText, LastName: jsonText })).nullish(),
});
export type PsaAutograph = z.output<typeof autographSchema>;

export const AUTOGRAPH_NOTE =
  "PSA/DNA certifies the autograph only. The grade is the autograph's, and no price is fetched";

/** The grade is the autograph's, else the result of its authentication. */
export function mapPsaAutograph(certNumber: string, cert: PsaAutograph, images: Images): Card {
  const signers = (cert.PrimarySubjects ?? []).flatMap((one) => joinTexts(one.FirstName, one.LastName) ?? []);
  const details = {
    itemName: cert.ItemDescription,
    grade: cert.SignatureGrade ?? cert.AuthenticationResult,
    player: foldText(signers.join(", ")),
    brand: AUTOGRAPH_BRAND,
    year: null,
    cardNumber: null,
    variety: null,
    sport: null,
  };
  return assembleCard("PSA", certNumber, details, images);
}

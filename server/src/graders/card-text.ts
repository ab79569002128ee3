import { load } from "cheerio";
import type { Card } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { storableText } from "@slabdesk/contract/sheet/text.ts";
import { certUrlOf } from "@slabdesk/contract/certs/company.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";

/** A value as a grader has it: text without surplus white space, or null when there is none. */
export type Text = string | null;

/** One card's two pictures; null where there is none. */
export type Pictures = { front: Text; back: Text };
export const NO_PICTURES: Pictures = { front: null, back: null };

/** Folds white space, no-break spaces included. Empty text and "N/A" are no value. */
export function foldText(value: string): Text {
  const rolledUp = storableText(value).replace(/\s+/g, " ").trim();
  return rolledUp === "" || rolledUp === NOT_AVAILABLE ? null : rolledUp;
}

/**
 * Reads a value of a JSON answer: entities that are written out whole ("&#x27;", "&amp;") are decoded. What only
 * resembles one ("R&D", "BLACK&LTD") stays as it is.
 */
export function readText(value: string | number | null | undefined): Text {
  if (value === null || value === undefined) return null;
  return foldText(String(value).replace(ENTITY, (entity) => load(entity, null, false).text()));
}

const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi;

/** A picture's address as printed, if it is an address of the web at all. */
export function readPictureUrl(value: string | null | undefined): Text {
  const url = storableText(value ?? "").trim();
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : null;
}

/** The values that exist, joined by single spaces; null when none does. */
export function joinTexts(...parts: Text[]): Text {
  const existing = parts.filter((part) => part !== null);
  return existing.length === 0 ? null : existing.join(" ");
}

/** A card number as item names show it. */
export function withNumberSign(cardNumber: Text): Text {
  return cardNumber === null || cardNumber.startsWith("#") ? cardNumber : `#${cardNumber}`;
}

type DetailField =
  | "itemName"
  | "player"
  | "year"
  | "brand"
  | "cardNumber"
  | "grade"
  | "sport"
  | "variety"
  | "language"
  | "graderNotes";
type ExtraField = "cardSet" | "cardName" | "game" | "variant1" | "tagScore" | "tagGrade" | "setName";

/** Makes the card that staff see: "N/A" for what is missing, the inventory name from what is there. */
export function assembleCard<Extra extends ExtraField = never>(
  company: Company,
  certNumber: string,
  details: Record<DetailField, Text> & { pictures: Pictures },
  extras: Record<Extra, Text>,
): Card {
  return {
    itemName: orNotAvailable(details.itemName),
    player: orNotAvailable(details.player),
    year: orNotAvailable(details.year),
    brand: orNotAvailable(details.brand),
    cardNumber: orNotAvailable(details.cardNumber),
    grade: orNotAvailable(details.grade),
    sport: orNotAvailable(details.sport),
    variety: orNotAvailable(details.variety),
    language: orNotAvailable(details.language),
    graderNotes: orNotAvailable(details.graderNotes),
    imageUrl: orNotAvailable(details.pictures.front),
    imageUrlBack: orNotAvailable(details.pictures.back),
    certUrl: certUrlOf(company, certNumber),
    certNumber,
    gradingCompany: company,
    inventoryName: joinTexts(company, details.grade, details.itemName) ?? company,
    ...Object.fromEntries(Object.entries<Text>(extras).map(([name, value]) => [name, orNotAvailable(value)])),
  };
}

function orNotAvailable(value: Text): string {
  return value ?? NOT_AVAILABLE;
}

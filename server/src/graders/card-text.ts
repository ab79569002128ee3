import { load } from "cheerio";
import { z } from "zod";
import { DETAIL_FIELDS, recordOf, NO_POPULATION, type Card, type Population } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";
import { certUrlOf, type Company } from "@slabdesk/contract/certs/company.ts";

/** A grader's value: text without extra white space, or null if there is none. */
export type Text = string | null;

export type Images = { front: Text; back: Text };
export const NO_IMAGES: Images = { front: null, back: null };

/** Longer texts and lists in a grader's answer are cut. */
const LONGEST = 5_000;
export const LONGEST_LIST = 50;
const LONGEST_URL = 2_000;

/** Collapses white space, including no-break spaces. Empty text and "N/A" become null. */
export function foldText(value: string): Text {
  const rolledUp = storableText(value.slice(0, LONGEST)).replace(/\s+/g, " ").trim();
  return rolledUp === "" || rolledUp === NOT_AVAILABLE ? null : rolledUp;
}

/** Reads a JSON value and decodes complete entities ("&#x27;", "&amp;"), but not "R&D" or "BLACK&LTD". */
export function readText(value: string | number | null | undefined): Text {
  if (value === null || value === undefined) return null;
  const text = String(value).slice(0, LONGEST);
  return foldText(text.includes("&") ? decodeEntities(text) : text);
}

const NO_ENTITY = /<|&(?!(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)/gi;

/** Parses the whole text at once, because a hostile answer can contain hundreds of thousands of entities. */
function decodeEntities(text: string): string {
  const html = text.replace(NO_ENTITY, (sign) => (sign === "<" ? "&lt;" : "&amp;"));
  return load(html, null, false).text();
}

export const jsonText = z.union([z.string(), z.number()]).nullish().transform(readText);

/** Reads only the first items of a list, because a hostile answer can contain millions. */
export const shortListOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .transform((list) => list.slice(0, LONGEST_LIST))
    .pipe(z.array(item));

export function readImageUrl(value: string | null | undefined): Text {
  if (!value || value.length > LONGEST_URL) return null;
  const url = storableText(value).trim();
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : null;
}

export function joinTexts(...parts: Text[]): Text {
  const existing = parts.filter((part) => part !== null);
  return existing.length === 0 ? null : foldText(existing.join(" "));
}

export function withNumberSign(cardNumber: Text): Text {
  return cardNumber === null || cardNumber.startsWith("#") ? cardNumber : `#${cardNumber}`;
}

/** A card's details. Only CGC gives a language and notes. */
type Details = Record<Exclude<(typeof DETAIL_FIELDS)[number], CgcField>, Text> & Partial<Record<CgcField, Text>>;
type CgcField = "language" | "graderNotes";
type ExtraField = "cardSet" | "cardName" | "game" | "variant1" | "tagScore" | "tagGrade" | "setName";

/** Builds the card that staff see, with "N/A" for missing values and without a population. */
export function assembleCard(
  company: Company,
  certNumber: string,
  details: Details,
  { front, back }: Images,
  extras: Partial<Record<ExtraField, Text>> = {},
): Card {
  return {
    ...recordOf(DETAIL_FIELDS, (field) => [field, details[field] ?? NOT_AVAILABLE]),
    imageUrl: front ?? NOT_AVAILABLE,
    imageUrlBack: back ?? NOT_AVAILABLE,
    certUrl: certUrlOf(company, certNumber),
    certNumber,
    gradingCompany: company,
    ...NO_POPULATION,
    inventoryName: joinTexts(company, details.grade, details.itemName) ?? company,
    ...Object.fromEntries(Object.entries(extras).map(([name, value]) => [name, value ?? NOT_AVAILABLE])),
  };
}

/** A count as a grader gives it: a number, or digits with thousands separators. Null for anything else. */
function readCount(value: unknown): number | null {
  const digits = typeof value === "number" || typeof value === "string" ? String(value).replaceAll(",", "").trim() : "";
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}

export function populationOf(counts: { atGrade: unknown; higher: unknown }, now: Date): Population {
  const population = readCount(counts.atGrade);
  const populationHigher = readCount(counts.higher);
  const isUnknown = population === null && populationHigher === null;
  return { population, populationHigher, populationAsOf: isUnknown ? null : now.toISOString() };
}

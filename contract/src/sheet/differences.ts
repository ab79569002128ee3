import { LONGEST_COMPARED } from "../api/sessions.ts";
import { parseNumericGrade } from "../certs/grade.ts";
import { NOT_AVAILABLE } from "../api/results.ts";
import { cutText } from "../certs/text.ts";
import type { SheetCard } from "./row.ts";

export type RegistryCard = Record<"itemName" | "player" | "brand" | "variety" | "year" | "grade", string | null>;

/**
 * The differences between a sheet and the registry, as messages for staff: "your sheet: PSA 10, registry: MINT 9".
 * Names and sets are compared by their distinctive words. A missing value on either side isn't a difference.
 */
export function differences(sheet: SheetCard, company: string, card: RegistryCard): string[] {
  const [name, set] = [said(sheet.name), said(sheet.set)];
  const texts = name === null && set === null ? [] : [card.itemName, card.player, card.brand, card.variety];
  const theirs = texts.flatMap((text) => wordsOf(said(text) ?? ""));
  // Some sheets put the grade in the company cell: "PSA 10".
  const beside = said(sheet.company);
  const grade = said(sheet.grade) ?? (beside !== null && parseNumericGrade(beside) !== null ? beside : null);
  return [
    gradeDifference(grade, said(card.grade), company),
    yearDifference(said(sheet.year), said(card.year)),
    nameDifference(name, card, theirs),
    setDifference(set, card, theirs),
  ].filter((message) => message !== null);
}

const LONGEST_SHOWN = 80;
const SILENT = /^(?:#?n\/?a|none|null|unknown|tbd|[^\p{L}\p{N}]*)$/iu;

function said(text: string | null | undefined): string | null {
  const trimmed = (text ?? "").slice(0, LONGEST_COMPARED).trim();
  return trimmed === NOT_AVAILABLE || SILENT.test(trimmed) ? null : trimmed;
}

function messageOf(sheet: string, registry: string): string {
  return `your sheet: ${cutText(sheet, LONGEST_SHOWN)}, registry: ${cutText(registry, LONGEST_SHOWN)}`;
}

/* Grades */

const GRADE_WORDS: readonly (readonly [number, ...string[]])[] = [
  [10, "PRISTINE", "PERFECT", "GEM MINT", "GEM MT"],
  [9, "MINT", "MT"],
  [8, "NM MT", "NM MINT", "NEAR MINT MINT"],
  [7, "NM", "NEAR MINT"],
  [6, "EX MT", "EX MINT"],
  [5, "EX", "EXCELLENT"],
  [4, "VG EX"],
  [3, "VG", "VERY GOOD"],
  [2, "GOOD"],
  [1.5, "FR", "FAIR"],
  [1, "PR", "POOR"],
];

const AUTHENTIC = /^A$|\bAUTH(?:ENTIC.*)?\b/;
const PRISTINE = /\b(?:PRISTINE|PERFECT)\b/;
const GEM = /\bGEM\b/;
const BARE_NUMBER = /^\d{1,2}(?:[.,]\d+)?$/;
/** TAG's score of up to 1000, in addition to the grade. */
const TAG_SCORE = /^\d{3,4}$/;

type Grade = { number: number | null; isAuthentic: boolean; text: string };

/** In "PSA 9/10", the first number is the card's grade, the second the autograph's. Qualifiers ("8 OC") are ignored. */
function parseGrade(grade: string): Grade {
  const plain = grade.replace(/(\d)[.,]0+(?!\d)/g, "$1").replace(/(\d),5(?!\d)/g, "$1.5");
  const text = wordsOf(plain)
    .filter((word) => !COMPANY_WORDS.has(word))
    .join(" ");
  const number = parseNumericGrade(plain) ?? GRADE_WORDS.find((words) => words.includes(text))?.[0] ?? null;
  return { number, isAuthentic: AUTHENTIC.test(text), text };
}

function gradeDifference(sheet: string | null, registry: string | null, company: string): string | null {
  if (sheet === null || registry === null || (company === "TAG" && TAG_SCORE.test(sheet))) return null;
  const [ours, theirs] = [parseGrade(sheet), parseGrade(registry)];
  if (ours.text === "") return null;
  const isSame =
    (ours.number !== null && ours.number === theirs.number && !areTwoTens(ours, theirs)) ||
    (ours.isAuthentic && theirs.isAuthentic) ||
    ours.text === theirs.text;
  if (isSame) return null;
  const isBare = BARE_NUMBER.test(sheet) && ours.number !== null;
  return messageOf(isBare ? `${company} ${ours.number}` : sheet, registry);
}

/** CGC and TAG have two grades of 10: Pristine and Gem Mint. */
function areTwoTens(ours: Grade, theirs: Grade): boolean {
  const tens = [ours.text, theirs.text].map((text) => (PRISTINE.test(text) ? "pristine" : GEM.test(text) && "gem"));
  return tens[0] !== tens[1] && tens.every(Boolean);
}

/* Years */

/** "1999" and the seasons "1999-00" and "1999-2000". */
const YEARS = /(?<!\d)((?:18|19|20)\d\d)(?:[-/\u2013]((?:18|19|20)?\d\d))?(?!\d)/;
/** Years without a century: "'99", "99" and "98-99". */
const SHORT_YEARS = /^['\u2018\u2019]?(\d\d)(?:[-/\u2013](\d\d))?$/;

/** The years in a text, two for a season. Four digits if the century is known, else two. */
function yearsIn(text: string): string[] {
  const [, first, second] = YEARS.exec(text) ?? SHORT_YEARS.exec(text) ?? [];
  if (first === undefined || second === undefined) return first === undefined ? [] : [first];
  const isNextCentury = second.length === 2 && first.length === 4 && second < first.slice(2);
  const century = String(Number(first.slice(0, -2)) + (isNextCentury ? 1 : 0));
  return [first, second.length < first.length ? century + second : second];
}

function yearDifference(sheet: string | null, registry: string | null): string | null {
  if (sheet === null || registry === null) return null;
  const [ours, theirs] = [yearsIn(sheet), yearsIn(registry)];
  if (ours.length === 0 || theirs.length === 0) return null;
  const isSame = ours.some((year) => theirs.some((other) => year.endsWith(other) || other.endsWith(year)));
  return isSame ? null : messageOf(sheet, registry);
}

/* Names and sets */

const COMPANY_WORDS: ReadonlySet<string> = new Set(["PSA", "DNA", "CGC", "TAG", "BGS", "SGC"]);

/** Words that are too common to identify a card. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `THE OF AND IN A AN CARD CARDS TCG CCG GAME TRADING SET SERIES COLLECTION BASE EDITION ED 1ST FIRST UNLIMITED
   SHADOWLESS POKEMON SPORTS BASEBALL BASKETBALL FOOTBALL HOCKEY SOCCER JAPANESE JAPAN JPN JP ENGLISH EN GEM MINT MT
   NM NEAR EX VG GRADE GRADED SLAB`.split(/\s+/),
);

/** Manufacturers and card types. They identify a set, but not a card in it. */
const COMMON_IN_NAMES: ReadonlySet<string> = new Set(
  `TOPPS BOWMAN PANINI FLEER DONRUSS LEAF SCORE UPPER DECK CHROME PRIZM OPTIC SELECT HOLO HOLOFOIL FOIL REVERSE REV
   RARE ART FULL ALT ALTERNATE SECRET ULTRA PROMO STAR BLACK GOLD SILVER RED BLUE GREEN PURPLE ORANGE ROOKIE RC AUTO
   AUTOGRAPH AUTOGRAPHS REFRACTOR PARALLEL INSERT VMAX VSTAR GX ONE PIECE YUGIOH MAGIC GATHERING LORCANA`.split(/\s+/),
);

/** A name that Slabdesk wrote for a card that it couldn't look up. */
const OWN_LABEL = /^(?:(?:error|queued):|(?:player )?error$)/i;

function nameDifference(sheet: string | null, card: RegistryCard, theirs: readonly string[]): string | null {
  const registry = said(card.player) ?? said(card.itemName);
  if (sheet === null || registry === null || OWN_LABEL.test(sheet)) return null;
  const isTelling = (word: string): boolean => isWord(word) && !COMMON_IN_NAMES.has(word);
  return isShared(sheet, theirs, isTelling) ? null : messageOf(sheet, registry);
}

function setDifference(sheet: string | null, card: RegistryCard, theirs: readonly string[]): string | null {
  const registry = said(card.brand) ?? said(card.itemName);
  if (sheet === null || registry === null) return null;
  // "151" is also a set. A number alone doesn't prove a difference.
  const isNumberShared = wordsOf(sheet).some((word) => /^\d{2,3}$/.test(word) && theirs.includes(word));
  const isSame = isNumberShared || isShared(sheet, theirs, isWord) || isAbbreviated(wordsOf(sheet), theirs);
  return isSame ? null : messageOf(sheet, registry);
}

/** Names and sets are shorter. More would only take time, because all words of both sides are compared. */
const LONGEST_NAME = 300;

/** Uppercase words without accents, apostrophes and punctuation: "Pokémon's Ho-Oh" is POKEMONS, HO, OH. */
function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, LONGEST_NAME)
    .normalize("NFKD")
    .slice(0, LONGEST_NAME)
    .replace(/[\p{M}'\u2018\u2019\u2032]/gu, "");
  return plain.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Graders print Latin letters, so names in other scripts can't be compared. */
function isWord(word: string): boolean {
  return word.length > 1 && /[A-Z]/.test(word) && !COMPANY_WORDS.has(word) && !COMMON_WORDS.has(word);
}

/** Shorter words match inside others by chance. MEW isn't MEWTWO. */
const SHORTEST_PART = 4;

/** True if both share a distinctive word or part of one, or if the sheet has no distinctive word. */
function isShared(sheet: string, theirs: readonly string[], isTelling: (word: string) => boolean): boolean {
  const all = wordsOf(sheet);
  const ours = all.filter(isTelling);
  const known = new Set(theirs);
  if (ours.length === 0 || ours.some((word) => known.has(word))) return true;
  return isPartOf(ours, theirs) || isPartOf(theirs.filter(isTelling), all);
}

/** True if one of the words occurs in the other words joined together. */
function isPartOf(parts: readonly string[], whole: readonly string[]): boolean {
  const joined = whole.join("");
  return parts.some((part) => part.length >= SHORTEST_PART && joined.includes(part));
}

const LONGEST_ABBREVIATION = 5;
/** Finding abbreviations takes longer than finding shared words. */
const MOST_ABBREVIATED = 20;

/** True if either side has a word that abbreviates words of the other: OPC, UD, SWSH. */
function isAbbreviated(ours: readonly string[], theirs: readonly string[]): boolean {
  const hasShort = (parts: readonly string[], whole: readonly string[]): boolean =>
    Array.from(new Set(parts))
      .filter((part) => isWord(part) && part.length <= LONGEST_ABBREVIATION)
      .some((part) => whole.some((_, at) => abbreviates(part, whole, at)));
  const [one, other] = [ours.slice(0, MOST_ABBREVIATED), theirs.slice(0, MOST_ABBREVIATED)];
  return hasShort(one, other) || hasShort(other, one);
}

/** True if the word consists of the beginnings of two or more consecutive words, starting at `at`. */
function abbreviates(part: string, whole: readonly string[], at: number, taken = 0): boolean {
  if (part === "") return taken > 1;
  const word = whole[at];
  if (word === undefined) return false;
  for (let length = 1; length <= part.length && word.startsWith(part.slice(0, length)); length += 1) {
    if (abbreviates(part.slice(length), whole, at + 1, taken + 1)) return true;
  }
  return false;
}

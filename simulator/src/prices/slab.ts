import { cgcField, isSportsCard } from "../cgc/cgc-card.ts";
import { findCgcCard } from "../cgc/cgc-cards.ts";
import { findPsaCard } from "../psa/psa-cards.ts";
import { findTagCard } from "../tag/tag-cards.ts";

/** A graded card as the price sources describe it. It is the card that its grader's simulator serves. */
export type Slab = {
  company: "PSA" | "CGC" | "TAG";
  certNumber: string;
  year: string;
  set: string;
  category: string;
  number: string;
  player: string;
  variation: string;
  /** Null for authentic cards without a grade. */
  grade: number | null;
  population: number;
};

/** Finds the slab of a lowercase grader name and a cert. Null if either is unknown. */
export function findSlab(grader: string, certNumber: string): Slab | null {
  if (grader === "psa") return psaSlab(certNumber);
  if (grader === "cgc") return cgcSlab(certNumber);
  return grader === "tag" ? tagSlab(certNumber) : null;
}

/** The card's description: "2016 Pokemon Japanese Xy Promo #208 Pikachu Special Box". */
export function describeSlab(slab: Slab): string {
  const number = slab.number && `#${slab.number}`;
  return [slab.year, slab.set, number, slab.player, slab.variation].filter((part) => part !== "").join(" ");
}

function psaSlab(certNumber: string): Slab | null {
  const cert = findPsaCard(certNumber)?.cert;
  if (!cert) return null;
  return {
    company: "PSA",
    certNumber,
    year: cert.Year,
    set: titleCase(cert.Brand),
    category: titleCase(cert.Category.replace(/ CARDS$/i, "")),
    number: cert.CardNumber,
    player: titleCase(cert.Subject),
    variation: titleCase(cert.Variety),
    grade: gradeIn(cert.CardGrade ?? cert.GradeDescription),
    population: cert.TotalPopulation,
  };
}

function cgcSlab(certNumber: string): Slab | null {
  const card = findCgcCard(certNumber);
  if (!card) return null;
  const isSports = isSportsCard(card);
  return {
    company: "CGC",
    certNumber: card.certNumber,
    year: cgcField(card, "Year"),
    set: cgcField(card, "Card Set"),
    category: isSports ? "Sports" : cgcField(card, "Game"),
    number: cgcField(card, "Card Number"),
    player: cgcField(card, isSports ? "Player Name" : "Card Name"),
    variation: cgcField(card, "Variant 1"),
    grade: gradeIn(cgcField(card, "Grade")),
    population: card.population?.atGrade ?? 1,
  };
}

function tagSlab(certNumber: string): Slab | null {
  const detail = findTagCard(certNumber)?.detail;
  if (!detail) return null;
  return {
    company: "TAG",
    certNumber,
    year: String(detail.cardSet.setYear),
    set: `${detail.cardSet.brandName} ${detail.cardSet.setName}`,
    category: detail.cardSet.cardSetType,
    number: detail.card.cardNumber,
    player: detail.cardName,
    variation: detail.cardSet.subsetName,
    grade: gradeIn(detail.grade),
    population: detail.pop.totalByGrade,
  };
}

/** The number in "GEM MT 10", "NM-MT+ 8.5" or "10 PRISTINE". */
function gradeIn(text: string): number | null {
  const number = /\b(?:10|[1-9](?:\.5)?)\b/.exec(text)?.[0];
  return number === undefined ? null : Number(number);
}

/**
 * Converts PSA's capitals to CardLadder's format: "POKEMON SM BLACK STAR PROMO" becomes "Pokemon Sm Black Star Promo".
 */
function titleCase(text: string): string {
  return text.toLowerCase().replaceAll(/(?<![\p{L}\d'’])\p{L}/gu, (letter) => letter.toUpperCase());
}

import { findMagic } from "../endpoints/magic.ts";
import { makeUpCard, type CardFacts } from "../made-up/card-facts.ts";
import { seeded } from "../made-up/seeded.ts";
import { pageRows, psaTitle, type PsaCard, type PsaCert, type PsaScan } from "./psa-card.ts";

/** Close to the observed difference between cert numbers and image ids (75738340 → 139950604, 86344925 → 152762159). */
const IMAGE_ID_OFFSET = 65_303_119;

/** The images of a card without recorded ones. */
export function makeUpScans(certNumber: string, images: CardFacts["images"] = "both"): PsaScan[] {
  if (images === "none") return [];
  const random = seeded(`PSA scans ${certNumber}`);
  const imageId = String(Number(certNumber) + IMAGE_ID_OFFSET);
  const front: PsaScan = { imageId, token: random.token(22), isFront: true };
  const back: PsaScan = { imageId, token: random.token(22), isFront: false };
  return images === "front" ? [front] : [front, back];
}

/** The cert of a made-up image id. Null if the id isn't a made-up one. */
export function certOfMadeUpImage(imageId: string): string | null {
  const number = Number(imageId) - IMAGE_ID_OFFSET;
  return Number.isSafeInteger(number) && number >= 0 ? String(number).padStart(8, "0") : null;
}

/** A plausible card. The same number always gives the same card. */
export function makeUpPsaCard(certNumber: string): PsaCard {
  const facts = makeUpCard("PSA", certNumber, findMagic(certNumber));
  const cert = makeUpCert(certNumber, facts);
  return {
    cert,
    scans: makeUpScans(certNumber, facts.images),
    page: {
      layout: "dl",
      title: psaTitle(cert),
      rows: pageRows(cert),
      estimateUsd: facts.random.chance(0.7) ? facts.random.int(8, 900) : null,
      population: facts.random.chance(0.8) ? { atGrade: cert.TotalPopulation, higher: cert.PopulationHigher } : null,
    },
    backFirst: facts.random.chance(0.75),
  };
}

const LIGHTHOUSE_FROM = 40_000_000;

function makeUpCert(certNumber: string, facts: CardFacts): PsaCert {
  const { random, kind } = facts;
  const hasQualifier = findMagic(certNumber)?.variant === "other_population";
  const grade = hasQualifier ? "NM 7 (OC)" : psaGrade(facts.grade);
  const isLighthouse = Number(certNumber) >= LIGHTHOUSE_FROM;
  const isDual = kind.type === "sports" && kind.autographed && random.chance(0.6);
  return {
    CertNumber: certNumber,
    SpecID: random.int(150_000, 12_000_000),
    SpecNumber: `${random.pick(["CNU", "BUM", "JY9", "XD7", "FMX"])}${random.int(1_000_000, 9_999_999)}`,
    LabelType: isLighthouse ? "LighthouseLabel" : "PreviousLabel",
    ...(isLighthouse ? { ReverseBarCode: true } : {}),
    Year: facts.year,
    Brand:
      kind.type === "tcg"
        ? `${kind.brand} ${kind.set}`.toUpperCase()
        : `${kind.manufacturer} ${kind.set}`.toUpperCase(),
    Category: kind.type === "tcg" ? "TCG Cards" : `${kind.sport} Cards`.toUpperCase(),
    CardNumber: facts.cardNumber.replace(/\/.*/, ""),
    Subject: facts.name.toUpperCase(),
    Variety: facts.variety.toUpperCase(),
    IsPSADNA: isDual,
    IsDualCert: isDual,
    GradeDescription: grade,
    ...(random.chance(0.1) && !isDual ? {} : { CardGrade: grade }),
    ...(isDual
      ? { AutographGrade: random.pick(["GEM MT 10", "Authentic"]), PrimarySigners: [facts.name.toUpperCase()] }
      : {}),
    TotalPopulation: random.int(1, 4200),
    TotalPopulationWithQualifier: random.int(0, 12),
    PopulationHigher: facts.grade === 10 ? 0 : random.int(0, 3000),
  };
}

const GRADE_WORDS: Record<string, string> = {
  "10": "GEM MT 10",
  "9": "MINT 9",
  "8.5": "NM-MT+ 8.5",
  "8": "NM-MT 8",
  "7.5": "NM+ 7.5",
  "7": "NM 7",
  "6.5": "EX-MT+ 6.5",
  "6": "EX-MT 6",
  "5": "EX 5",
  "4": "VG-EX 4",
  "3": "VG 3",
  "2": "GOOD 2",
  "1": "PR 1",
};

/** PSA has no grade of 9.5. */
function psaGrade(grade: number | null): string {
  if (grade === null) return "Authentic";
  return GRADE_WORDS[String(grade)] ?? "MINT 9";
}

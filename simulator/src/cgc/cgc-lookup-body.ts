import { findMagic } from "../endpoints/magic.ts";
import { seeded } from "../made-up/seeded.ts";
import { cgcField, isSportsCard, type CgcCard } from "./cgc-card.ts";

/** Includes population and images only if the request names them. */
export function nestedBody(origin: string, card: CgcCard, include: readonly string[]) {
  const random = seeded(`CGC dealer ${card.certNumber}`);
  const notes = cgcField(card, "Grader Notes");
  return {
    certNumber: card.certNumber,
    grade: { displayGrade: cgcField(card, "Grade") },
    collectible: collectibleOf(card),
    ...(notes === "" ? {} : { graderNotes: [notes] }),
    ...(include.includes("pop") ? populationOf(card) : {}),
    ...(include.includes("images") ? { images: imagesOf(origin, card) } : {}),
    metadata: {
      encapsulationDate: cgcField(card, "Grade Date"),
      gradedDate: cgcField(card, "Grade Date"),
      submissionNumber: card.certNumber.slice(0, -3),
      barcode: `${card.certNumber}${random.int(10, 99)}`,
    },
  };
}

/** Clients read it in either of two shapes. */
function populationOf({ certNumber, population }: CgcCard): object {
  if (!population) return {};
  const { atGrade, higher } = population;
  return findMagic(certNumber)?.variant === "other_population"
    ? { populationReport: { sameGrade: atGrade, higherGrades: higher, totalGraded: atGrade + higher } }
    : { population: { populationAtGrade: atGrade } };
}

function collectibleOf(card: CgcCard) {
  const orNull = (label: string): string | null => cgcField(card, label) || null;
  const isSports = isSportsCard(card);
  const variant1 = cgcField(card, "Variant 1");
  const variant2 = cgcField(card, "Variant 2");
  return {
    collectibleType: "Card",
    collectibleSubtype: isSports ? "Sports" : "TCG",
    cardName: orNull(isSports ? "Player Name" : "Card Name"),
    cardNumber: orNull("Card Number"),
    cardYear: orNull("Year"),
    game: orNull("Game"),
    seriesName: null,
    setName: orNull("Card Set"),
    subsetName: null,
    makerName: orNull("Manufacturer"),
    language: orNull("Language"),
    rarity: null,
    ...(variant1 === "" ? {} : { variant1 }),
    ...(variant2 === "" ? {} : { variant2 }),
    isParallel: variant1 !== "" && isSports,
  };
}

function imagesOf(origin: string, card: CgcCard) {
  const url = (label: "Obverse" | "Reverse", thumbnail: boolean): string | null => {
    const path = card.scans.find((scan) => scan.label === label)?.path;
    return path === undefined ? null : `${origin}/cgc-images${thumbnail ? thumbnailPath(path) : path}`;
  };
  return {
    frontUrl: url("Obverse", false),
    frontThumbnailUrl: url("Obverse", true),
    rearUrl: url("Reverse", false),
    rearThumbnailUrl: url("Reverse", true),
  };
}

/** The small version of ".../CAR6016747-097_OBV.jpg" is ".../TN_CAR6016747-097_OBV.jpg". */
export function thumbnailPath(path: string): string {
  return path.replace(/\/([^/]+)$/, "/TN_$1");
}

/** The same lookup with all values at the top, as other clients of the dealer API read it. */
export function flatBody({
  certNumber,
  grade,
  collectible,
  metadata,
  images,
  graderNotes,
  ...rest
}: ReturnType<typeof nestedBody>) {
  const { cardName, cardNumber, cardYear, game, setName, makerName, language, variant1, variant2 } = collectible;
  return {
    ...rest,
    certificationNumber: certNumber,
    grade: grade.displayGrade,
    ...(collectible.collectibleSubtype === "Sports" ? { player: cardName } : { cardName }),
    number: cardNumber,
    year: cardYear,
    category: game,
    set: setName,
    manufacturer: makerName,
    language,
    variant: variant1,
    variant2,
    gradedDate: metadata.gradedDate,
    notes: graderNotes?.[0],
    images: images && { front: images.frontUrl, rear: images.rearUrl },
  };
}

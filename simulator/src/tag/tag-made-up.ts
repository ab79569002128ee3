import { findMagic } from "../endpoints/magic.ts";
import { makeUpCard, type CardFacts } from "../made-up/card-facts.ts";
import { seeded } from "../made-up/seeded.ts";
import { findTagStep, TAG_IMAGE_HOST, type TagCard, type TagDetail, type TagStep } from "./tag-card.ts";

/** The text fields of a card's report. The rest of the record is made up from them. */
type TagIdentity = {
  cardName: string;
  cardNumber: string;
  brandName: string;
  setName: string;
  subsetName: string;
  cardSetType: string;
  setYear: number;
  manufacturer: string;
  step: TagStep;
  population: { total: number; atGrade: number };
  /** ISO 8601. */
  gradedAt: string;
  uuid: string;
  images: CardFacts["images"];
};

/**
 * A plausible card. The same number always gives the same card. It always has photos if the real cert was seen with
 * photos.
 */
export function makeUpTagCard(certNumber: string, wasPhotographed: boolean): TagCard {
  const facts = makeUpCard("TAG", certNumber, findMagic(certNumber));
  const { random, kind } = facts;
  const total = random.int(1, 600);
  return tagCardOf(certNumber, {
    cardName: facts.name,
    cardNumber: facts.cardNumber,
    brandName: kind.type === "tcg" ? tcgBrand(kind) : kind.manufacturer,
    setName: kind.set,
    subsetName: facts.variety,
    cardSetType: kind.type === "tcg" ? kind.game.replace("é", "e") : kind.sport,
    setYear: Number(facts.year),
    manufacturer: kind.type === "tcg" ? kind.game.replace("é", "e") : kind.manufacturer,
    step: stepOf(facts),
    population: { total, atGrade: random.int(1, total) },
    gradedAt: `202${random.int(4, 6)}-0${random.int(1, 9)}-${random.int(10, 28)}T18:56:56.000Z`,
    uuid: uuidOf(certNumber),
    images: wasPhotographed ? "both" : facts.images,
  });
}

/** TAG's brand includes the language. */
function tcgBrand(kind: { game: string; language: string }): string {
  return kind.language === "English" ? kind.game : `${kind.game} ${kind.language}`;
}

const PRISTINE_SHARE = 0.12;

function stepOf({ grade, random }: CardFacts): TagStep {
  if (grade === 10)
    return found(random.chance(PRISTINE_SHARE) ? findTagStep("10", "PRISTINE") : findTagStep("10", "GEM MINT"));
  return findTagStep(String(grade)) ?? found(findTagStep("9"));
}

function found(step: TagStep | null): TagStep {
  if (!step) throw new Error("TAG's scale doesn't have this step");
  return step;
}

/** The full record of a card. */
export function tagCardOf(certNumber: string, identity: TagIdentity): TagCard {
  const random = seeded(`TAG record ${certNumber}`);
  const { step, uuid, cardName, cardNumber } = identity;
  const cardId = random.int(1_000_000, 19_999_999);
  const scoreTotal = random.int(step.from, step.to);
  const hasFront = identity.images !== "none";
  const hasBack = identity.images === "both";
  const detail: TagDetail = {
    isVaCard: false,
    id: random.int(100_000, 1_400_000),
    uuid,
    certificateValue: certNumber,
    isAdjusted: random.chance(0.3),
    ...imageFiles(certNumber, uuid, hasFront, hasBack),
    imageWidth: random.int(4380, 4395),
    imageHeight: random.int(6080, 6095),
    cardName,
    cardId,
    card: { id: cardId, cardNumber, cardName },
    cardSet: {
      id: random.int(100_000, 999_999),
      brandName: identity.brandName,
      setName: identity.setName,
      subsetName: identity.subsetName,
      cardSetType: identity.cardSetType,
      setYear: identity.setYear,
      manufacturer: { name: identity.manufacturer },
    },
    scoreTotal,
    grade: `${step.grade} ${step.alias}`,
    tagXGrade: null,
    pop: {
      uuid,
      tagGrade: scoreTotal,
      grade: step.grade,
      dateGraded: identity.gradedAt,
      certificateValue: certNumber,
      totalByCard: identity.population.total,
      totalByGrade: identity.population.atGrade,
      gradeAlias: step.alias,
      setNamePop: identity.setName,
    },
    orderType: `st${random.int(1, 4)}`,
  };
  return { detail, hasFront, hasBack };
}

function imageFiles(certNumber: string, uuid: string, hasFront: boolean, hasBack: boolean) {
  const file = (isThere: boolean, path: string): string | null => (isThere ? `${TAG_IMAGE_HOST}${path}` : null);
  return {
    imageFileDeskewedFront: file(hasFront, `/card-images/${uuid}_FRONT_MAIN.jpg`),
    imageFileDeskewedBack: file(hasBack, `/card-images/${uuid}_BACK_MAIN.jpg`),
    imageFileFSFX: file(hasFront, `/card-images/${uuid}_FRONT_SFX.jpg`),
    imageFileBSFX: file(hasBack, `/card-images/${uuid}_BACK_SFX.jpg`),
    imageSlabbedBack: file(hasBack, `/slab-images/${certNumber}_Slabbed_BACK.jpg`),
    imageSlabbedFront: file(hasFront, `/slab-images/${certNumber}_Slabbed_FRONT.jpg`),
    imageSlabbedSmallBack: file(hasBack, `/slab-images/${certNumber}_Slabbed_1x1_BACK.jpg`),
    imageSlabbedSmallFront: file(hasFront, `/slab-images/${certNumber}_Slabbed_1x1_FRONT.jpg`),
  };
}

/** The last group is the cert in hexadecimal, so that a scan's address identifies its card. */
function uuidOf(certNumber: string): string {
  const random = seeded(`TAG uuid ${certNumber}`);
  const head = [random.hex(8), random.hex(4), `4${random.hex(3)}`, `a${random.hex(3)}`].join("-");
  const letter = certNumber.charCodeAt(0).toString(16);
  return `${head}-${letter}${Number(certNumber.slice(1)).toString(16).padStart(10, "0")}`;
}

/** The cert in a made-up UUID. Null if there is none. */
export function certOfUuid(uuid: string): string | null {
  const tail = uuid.split("-")[4];
  if (tail?.length !== 12) return null;
  const certNumber = `${String.fromCharCode(Number.parseInt(tail.slice(0, 2), 16))}${String(Number.parseInt(tail.slice(2), 16)).padStart(7, "0")}`;
  return uuidOf(certNumber) === uuid ? certNumber : null;
}

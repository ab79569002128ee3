/** The body of the "detail" call. The recorded body has a few more fields. */
export type TagDetail = {
  isVaCard: boolean;
  id: number;
  uuid: string;
  certificateValue: string;
  isAdjusted: boolean;
  imageFileDeskewedFront: string | null;
  imageFileDeskewedBack: string | null;
  imageFileFSFX: string | null;
  imageFileBSFX: string | null;
  imageWidth: number;
  imageHeight: number;
  imageSlabbedBack: string | null;
  imageSlabbedFront: string | null;
  imageSlabbedSmallBack: string | null;
  imageSlabbedSmallFront: string | null;
  cardName: string;
  cardId: number;
  card: { id: number; cardNumber: string; cardName: string };
  cardSet: {
    id: number;
    brandName: string;
    setName: string;
    subsetName: string;
    cardSetType: string;
    setYear: number;
    manufacturer: { name: string };
  };
  /** Up to 1000. */
  scoreTotal: number;
  /** The number and its name: "7 NEAR MINT". */
  grade: string;
  tagXGrade: null;
  pop: {
    uuid: string;
    tagGrade: number;
    grade: string;
    dateGraded: string;
    certificateValue: string;
    totalByCard: number;
    totalByGrade: number;
    gradeAlias: string;
    setNamePop: string;
  };
  orderType: string;
};

/** A TAG card: its record, and which sides of the slab have a photo. */
export type TagCard = { detail: TagDetail; hasFront: boolean; hasBack: boolean };

/** The image host in recorded bodies. The simulator serves the same paths. */
export const TAG_IMAGE_HOST = "https://d39lwrz0lm7c9r.cloudfront.net";

/** TAG's scale: 50 points per half grade up to 8.5, then 900 and 950; 990 is Pristine. There is no 9.5. */
const SCALE = [
  { from: 990, to: 1000, grade: "10", alias: "PRISTINE" },
  { from: 950, to: 989, grade: "10", alias: "GEM MINT" },
  { from: 900, to: 949, grade: "9", alias: "MINT" },
  { from: 850, to: 899, grade: "8.5", alias: "NM MT+" },
  { from: 800, to: 849, grade: "8", alias: "NM MT" },
  { from: 750, to: 799, grade: "7.5", alias: "NM+" },
  { from: 700, to: 749, grade: "7", alias: "NEAR MINT" },
  { from: 650, to: 699, grade: "6.5", alias: "EX MT+" },
  { from: 600, to: 649, grade: "6", alias: "EX MT" },
  { from: 500, to: 549, grade: "5", alias: "EX" },
  { from: 400, to: 449, grade: "4", alias: "VG EX" },
  { from: 300, to: 349, grade: "3", alias: "VG" },
  { from: 200, to: 249, grade: "2", alias: "GOOD" },
  { from: 100, to: 149, grade: "1", alias: "POOR" },
] as const;
export type TagStep = (typeof SCALE)[number];

/** The step of the scale with this grade and, if two steps share the grade, this name. */
export function findTagStep(grade: string, alias?: string): TagStep | null {
  return SCALE.find((step) => step.grade === grade && (alias === undefined || step.alias === alias)) ?? null;
}

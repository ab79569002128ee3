import recordedDetail from "../recorded/tag-detail.json" with { type: "json" };
import recordedNumbers from "../recorded/tag-numbers.json" with { type: "json" };
import recordedPages from "../recorded/tag-pages.json" with { type: "json" };
import { findTagStep, type TagCard } from "./tag-card.ts";
import { tagCardOf } from "./tag-made-up.ts";

type RecordedPage = {
  cert: string;
  identity: string[];
  grade: string[];
  population: { atGrade: number; total: number };
  chronology: { graded: string };
  scans: { side: string; url: string }[];
};

/** The only recorded body of TAG's API, complete. */
const RECORDED_TAG_DETAIL = recordedDetail.data;

const CARDS = new Map<string, TagCard>([
  [RECORDED_TAG_DETAIL.certificateValue, { detail: RECORDED_TAG_DETAIL, hasFront: true, hasBack: true }],
  ...(recordedPages satisfies RecordedPage[]).map((page: RecordedPage) => [page.cert, cardOfPage(page)] as const),
]);

/** Certs seen with slab photos. Their made-up cards always have photos. */
const PHOTOGRAPHED = new Set(recordedNumbers.photographed);

/** All recorded TAG certs. For most, only the number is known. */
export const RECORDED_TAG_NUMBERS: readonly string[] = [
  ...new Set([...CARDS.keys(), ...recordedNumbers.photographed, ...recordedNumbers.numberOnly]),
];

/** The cert number of each recorded card scan, by the UUID in its address. */
export const RECORDED_UUIDS: ReadonlyMap<string, string> = new Map(
  [...CARDS].map(([certNumber, card]) => [card.detail.uuid, certNumber]),
);

/** The card recorded from an API body or a report. Null if there is neither. */
export function recordedTagCard(certNumber: string): TagCard | null {
  return CARDS.get(certNumber) ?? null;
}

export function wasPhotographed(certNumber: string): boolean {
  return PHOTOGRAPHED.has(certNumber);
}

/** A report identifies the card in four lines: name, year with brand and number, set, variety. */
function cardOfPage(page: RecordedPage): TagCard {
  const [cardName = "", brandLine = "", setName = "", subsetName = ""] = page.identity;
  const [, year, brandName, cardNumber] = /^(\d{4}) (.+) #(\S+)$/.exec(brandLine) ?? [];
  const [grade = "", alias] = page.grade;
  const step = findTagStep(grade, alias);
  const uuid = /card-images\/([\da-f-]{36})_/.exec(page.scans[0]?.url ?? "")?.[1];
  if (!year || !brandName || !cardNumber || !step || !uuid)
    throw new Error(`The recorded report of ${page.cert} cannot be read`);
  return tagCardOf(page.cert, {
    cardName,
    cardNumber,
    brandName,
    setName,
    subsetName,
    cardSetType: "Pokemon",
    setYear: Number(year),
    manufacturer: "Pokemon",
    step,
    population: { total: page.population.total, atGrade: page.population.atGrade },
    gradedAt: new Date(`${page.chronology.graded} UTC`).toISOString(),
    uuid,
    images: "both",
  });
}

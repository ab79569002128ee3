import recordedDetail from "@slabdesk/simulator/recorded/tag-detail.json" with { type: "json" };
import recordedNumbers from "@slabdesk/simulator/recorded/tag-numbers.json" with { type: "json" };
import recordedPages from "@slabdesk/simulator/recorded/tag-pages.json" with { type: "json" };
import { TAG_API_KEY } from "@slabdesk/simulator/tag/tag-api.ts";
import { type ExpectedCard, numbered, orMissing, together } from "./expected-card.ts";

type TagRecord = {
  grade: string;
  scoreTotal: number;
  cardName: string;
  card: { cardNumber: string };
  cardSet: { brandName: string; setName: string; subsetName: string; cardSetType: string; setYear: number };
  imageSlabbedFront: string | null;
  imageSlabbedBack: string | null;
  pop: { totalByGrade: number };
};

const TAG_IMAGES = "https://d39lwrz0lm7c9r.cloudfront.net";
const DETAIL: TagRecord & { certificateValue: string } = recordedDetail.data;

/** Seen with photos of both sides. */
const PHOTOGRAPHED = new Set([
  DETAIL.certificateValue,
  ...recordedPages.map(({ cert }) => cert),
  ...recordedNumbers.photographed,
]);

export const RECORDED_TAG = [...PHOTOGRAPHED, ...recordedNumbers.numberOnly];

/**
 * What the API returns for a certificate. One was recorded completely, for two the report was seen; for the others
 * only the number or the photos are known, so the simulator's made-up values apply.
 */
export async function expectTagByApi(certNumber: string, upstreamOrigin: string): Promise<ExpectedCard> {
  const asked = await ask(certNumber, upstreamOrigin);
  const record = certNumber === DETAIL.certificateValue ? DETAIL : { ...asked, ...reportOf(certNumber, asked) };
  const { cardSet, cardName, grade } = record;
  const itemName = together(
    String(cardSet.setYear),
    cardSet.brandName,
    cardSet.setName,
    numbered(record.card.cardNumber),
    cardName,
  );
  return {
    gradingCompany: "TAG",
    certNumber,
    itemName,
    player: orMissing(cardName),
    year: String(cardSet.setYear),
    language: "N/A",
    brand: orMissing(cardSet.brandName),
    cardNumber: orMissing(record.card.cardNumber),
    grade: orMissing(grade),
    sport: orMissing(cardSet.cardSetType),
    variety: orMissing(cardSet.subsetName),
    graderNotes: "N/A",
    tagScore: String(record.scoreTotal),
    ...photosOf(certNumber, asked, upstreamOrigin),
    certUrl: `https://my.taggrading.com/card/${certNumber}`,
    inventoryName: together("TAG", grade, itemName),
    population: record.pop.totalByGrade,
    populationHigher: null,
  };
}

/** Without a browser the page shows only the link and the photos, if there are any. */
export async function expectTagByPage(certNumber: string, upstreamOrigin: string): Promise<ExpectedCard> {
  const card = await expectTagByApi(certNumber, upstreamOrigin);
  const missing = "N/A";
  return {
    gradingCompany: "TAG",
    certNumber,
    itemName: missing,
    player: missing,
    year: missing,
    language: missing,
    brand: missing,
    cardNumber: missing,
    grade: missing,
    sport: missing,
    variety: missing,
    graderNotes: missing,
    tagScore: missing,
    imageUrl: card.imageUrl,
    imageUrlBack: card.imageUrlBack,
    certUrl: card.certUrl,
    inventoryName: "TAG",
    population: null,
    populationHigher: null,
  };
}

/** A report names the card in four lines: name, year with brand and number, set, variety. */
function reportOf(certNumber: string, asked: TagRecord): Partial<TagRecord> {
  const report = recordedPages.find(({ cert }) => cert === certNumber);
  if (!report) return {};
  const [cardName = "", brandLine = "", setName = "", subsetName = ""] = report.identity;
  const [, year, brandName = "", cardNumber = ""] = /^(\d{4}) (.+) #(\S+)$/.exec(brandLine) ?? [];
  return {
    cardName,
    grade: report.grade.join(" "),
    card: { cardNumber },
    pop: { totalByGrade: report.population.atGrade },
    cardSet: { ...asked.cardSet, setYear: Number(year), brandName, setName, subsetName },
  };
}

function photosOf(
  certNumber: string,
  asked: TagRecord,
  upstreamOrigin: string,
): Pick<ExpectedCard, "imageUrl" | "imageUrlBack"> {
  const at = (side: "FRONT" | "BACK"): string =>
    `${upstreamOrigin}/tag-images/slab-images/${certNumber}_Slabbed_${side}.jpg`;
  if (PHOTOGRAPHED.has(certNumber)) return { imageUrl: at("FRONT"), imageUrlBack: at("BACK") };
  return { imageUrl: orMissing(asked.imageSlabbedFront), imageUrlBack: orMissing(asked.imageSlabbedBack) };
}

async function ask(certNumber: string, upstreamOrigin: string): Promise<TagRecord> {
  const answer = await fetch(`${upstreamOrigin}/tag-api/graded-cards/public/detail/${certNumber}`, {
    headers: { "x-tag-key": TAG_API_KEY },
  });
  const text = (await answer.text()).replaceAll(TAG_IMAGES, `${upstreamOrigin}/tag-images`);
  return (JSON.parse(text) as { data: TagRecord }).data;
}

import { PSA_API_TOKEN } from "@slabdesk/simulator/psa/psa-api.ts";
import recordedCerts from "@slabdesk/simulator/recorded/psa-certs.json" with { type: "json" };
import recordedImages from "@slabdesk/simulator/recorded/psa-images.json" with { type: "json" };
import recordedPages from "@slabdesk/simulator/recorded/psa-pages.json" with { type: "json" };
import { type ExpectedCard, numbered, orMissing, together } from "./expected-card.ts";

type Images = { front: string | undefined; back: string | undefined };
type PsaRecord = {
  Year: string;
  Brand: string;
  Category: string;
  CardNumber: string;
  Subject: string;
  Variety: string;
  GradeDescription: string;
  CardGrade?: string;
  TotalPopulation: number | null;
  PopulationHigher: number | null;
};
type RecordedPage = {
  fields: Partial<Record<string, string>>;
  scans?: { side: string; url: string }[];
  population?: { atGrade: number; higher: number };
};

/** The folder of recorded images, and the simulator's URL for them. */
const PSA_IMAGES = "https://d1htnxwo4o0jhw.cloudfront.net";

const CERTS = new Map<string, PsaRecord>(recordedCerts.map(({ PSACert }) => [PSACert.CertNumber, PSACert]));
const PAGES = new Map<string, RecordedPage>(
  (recordedPages as RecordedPage[]).map((page) => [
    page.fields["Cert Number"] ?? page.fields["Certification Number"] ?? "",
    page,
  ]),
);
const LISTED = new Map<string, { IsFrontImage: boolean; ImageURL: string }[]>(Object.entries(recordedImages));

export const RECORDED_PSA = [...CERTS.keys(), ...PAGES.keys()];

/** The API's record of a certificate, recorded or made up by the simulator. */
export async function expectPsaByApi(certNumber: string, upstreamOrigin: string): Promise<ExpectedCard> {
  const record = await apiRecordOf(certNumber, upstreamOrigin);
  const images = recordedUrls(certNumber, upstreamOrigin) ?? (await askImages(certNumber, upstreamOrigin));
  return cardOf(certNumber, record, images);
}

/** The simulator makes up the population of a page that was recorded without one. */
async function apiRecordOf(certNumber: string, upstreamOrigin: string): Promise<PsaRecord> {
  const recorded = CERTS.get(certNumber) ?? pageAsRecord(certNumber);
  if (recorded && recorded.TotalPopulation !== null) return recorded;
  const asked = await askRecord(certNumber, upstreamOrigin);
  const { TotalPopulation, PopulationHigher } = asked;
  return { ...asked, ...recorded, TotalPopulation, PopulationHigher };
}

/** The page's record of a certificate; its images are the small ones. */
export async function expectPsaByPage(certNumber: string, upstreamOrigin: string): Promise<ExpectedCard> {
  const page = PAGES.get(certNumber);
  const record = CERTS.get(certNumber) ?? pageAsRecord(certNumber);
  if (!record) throw new Error(`PSA ${certNumber} is not recorded`);
  const images = recordedUrls(certNumber, upstreamOrigin) ?? (await askImages(certNumber, upstreamOrigin));
  const small = (url: string | undefined): string | undefined => url?.replace(/\/cert\/(\d+)\//, "/cert/$1/small/");
  return cardOf(
    certNumber,
    // A page without this row has no category; only the API always has one.
    page ? { ...record, Category: page.fields["Category"] ?? page.fields["Sport"] ?? "" } : record,
    { front: small(images.front), back: small(images.back) },
  );
}

function cardOf(certNumber: string, record: PsaRecord, images: Images): ExpectedCard {
  const grade = record.CardGrade ?? record.GradeDescription;
  const itemName = together(record.Year, record.Brand, numbered(record.CardNumber), record.Subject, record.Variety);
  return {
    gradingCompany: "PSA",
    certNumber,
    itemName,
    player: orMissing(record.Subject),
    year: orMissing(record.Year),
    language: "N/A",
    brand: orMissing(record.Brand),
    cardNumber: orMissing(record.CardNumber),
    grade: orMissing(grade),
    sport: orMissing(record.Category),
    variety: orMissing(record.Variety),
    graderNotes: "N/A",
    tagScore: "N/A",
    imageUrl: orMissing(images.front),
    imageUrlBack: orMissing(images.back),
    certUrl: `https://www.psacard.com/cert/${certNumber}/psa`,
    inventoryName: together("PSA", grade, itemName),
    population: record.TotalPopulation,
    populationHigher: record.PopulationHigher,
  };
}

/** If only the page was recorded, the simulator's API has the same values. */
function pageAsRecord(certNumber: string): PsaRecord | null {
  const page = PAGES.get(certNumber);
  if (!page) return null;
  const { fields, population } = page;
  return {
    Year: fields["Year"] ?? "",
    Brand: fields["Brand/Title"] ?? fields["Brand"] ?? "",
    Category: fields["Category"] ?? fields["Sport"] ?? "TCG Cards",
    CardNumber: fields["Card Number"] ?? "",
    Subject: fields["Subject"] ?? fields["Player"] ?? "",
    Variety: fields["Variety/Pedigree"] ?? "",
    GradeDescription: fields["Item Grade"] ?? fields["Grade"] ?? "",
    TotalPopulation: population?.atGrade ?? null,
    PopulationHigher: population?.higher ?? null,
  };
}

/** Null if it was not recorded whether there are any. */
function recordedUrls(certNumber: string, upstreamOrigin: string): Images | null {
  const served = (url: string | undefined): string | undefined =>
    url?.replace(PSA_IMAGES, `${upstreamOrigin}/psa-images`).replace("/small/", "/");
  const scans = PAGES.get(certNumber)?.scans;
  if (scans) {
    const side = (name: string): string | undefined => served(scans.find((scan) => scan.side === name)?.url);
    return { front: side("front"), back: side("back") };
  }
  const listed = LISTED.get(certNumber);
  return listed ? byFlag(listed.map((image) => ({ ...image, ImageURL: served(image.ImageURL) ?? "" }))) : null;
}

async function askImages(certNumber: string, upstreamOrigin: string): Promise<Images> {
  return byFlag(
    await ask<{ IsFrontImage: boolean; ImageURL: string }[]>(upstreamOrigin, "GetImagesByCertNumber", certNumber),
  );
}

async function askRecord(certNumber: string, upstreamOrigin: string): Promise<PsaRecord> {
  return (await ask<{ PSACert: PsaRecord }>(upstreamOrigin, "GetByCertNumber", certNumber)).PSACert;
}

async function ask<Answer>(upstreamOrigin: string, method: string, certNumber: string): Promise<Answer> {
  const answer = await fetch(`${upstreamOrigin}/psa-api/publicapi/cert/${method}/${certNumber}`, {
    headers: { authorization: `Bearer ${PSA_API_TOKEN}`, accept: "application/json" },
  });
  return (await answer.json()) as Answer;
}

/** The back often comes first; only the flag tells. */
function byFlag(images: { IsFrontImage: boolean; ImageURL: string }[]): Images {
  return {
    front: images.find((image) => image.IsFrontImage)?.ImageURL,
    back: images.find((image) => !image.IsFrontImage)?.ImageURL,
  };
}

import recordedCerts from "../recorded/psa-certs.json" with { type: "json" };
import recordedImages from "../recorded/psa-images.json" with { type: "json" };
import recordedPages from "../recorded/psa-pages.json" with { type: "json" };
import { seeded } from "../made-up/seeded.ts";
import { pageRows, psaTitle, type PsaCard, type PsaCert, type PsaPage, type PsaScan } from "./psa-card.ts";
import { makeUpScans } from "./psa-made-up.ts";

type RecordedPage = {
  layout: string;
  fields: Partial<Record<string, string>>;
  title?: string;
  estimate?: number;
  population?: { atGrade: number; higher: number };
  scans?: { side: string; url: string }[];
};

/** Complete bodies of PSA's API. */
const RECORDED_PSA_BODIES: readonly { PSACert: PsaCert }[] = recordedCerts;

const CERTS = new Map(RECORDED_PSA_BODIES.map((body) => [body.PSACert.CertNumber, body.PSACert]));
const IMAGES = new Map(Object.entries(recordedImages));
const PAGES = new Map(
  (recordedPages satisfies RecordedPage[]).map((page: RecordedPage) => [pageCertNumber(page), page]),
);

/** All recorded PSA certs, from the API or from pages. */
export const RECORDED_PSA_NUMBERS: readonly string[] = [...CERTS.keys(), ...PAGES.keys()];

/**
 * The recorded card. Data missing from one source is taken from the other or made up. Null if the cert isn't recorded.
 */
export function recordedPsaCard(certNumber: string): PsaCard | null {
  const page = PAGES.get(certNumber);
  const cert = CERTS.get(certNumber) ?? (page && certOfPage(certNumber, page));
  if (!cert) return null;
  return {
    cert,
    scans: recordedScans(certNumber) ?? makeUpScans(certNumber),
    page: page ? pageAsRecorded(page, cert) : pageOfCert(cert),
    backFirst: true,
  };
}

/** The cert number of each recorded image id. */
export const RECORDED_IMAGE_IDS: ReadonlyMap<string, string> = new Map(
  RECORDED_PSA_NUMBERS.flatMap((certNumber) =>
    (recordedScans(certNumber) ?? []).map((scan) => [scan.imageId, certNumber] as const),
  ),
);

/** The recorded images, front first. Empty if the cert is known to have none. Null if unknown. */
export function recordedScans(certNumber: string): PsaScan[] | null {
  const fromPage = PAGES.get(certNumber)?.scans?.map((scan) => scanOf(scan.url, scan.side === "front"));
  const fromApi = IMAGES.get(certNumber)?.map((image) => scanOf(image.ImageURL, image.IsFrontImage));
  const scans = fromPage ?? fromApi ?? null;
  return scans && scans.toSorted((one, other) => Number(other.isFront) - Number(one.isFront));
}

function scanOf(url: string, isFront: boolean): PsaScan {
  const [, imageId, token] = /\/cert\/(\d+)\/(?:small\/)?([\w-]{22})\.jpg$/.exec(url) ?? [];
  if (imageId === undefined || token === undefined) throw new Error(`Not the address of a recorded PSA image: ${url}`);
  return { imageId, token, isFront };
}

function pageCertNumber(page: RecordedPage): string {
  return page.fields["Cert Number"] ?? page.fields["Certification Number"] ?? "";
}

function pageAsRecorded(page: RecordedPage, cert: PsaCert): PsaPage {
  return {
    layout: page.layout === "table-2023" ? "table-2023" : "dl",
    title: page.title ?? psaTitle(cert),
    rows: Object.entries(page.fields).map(([label, value]) => [label, value ?? ""]),
    estimateUsd: page.estimate ?? null,
    population: page.population ?? null,
  };
}

function pageOfCert(cert: PsaCert): PsaPage {
  return {
    layout: "dl",
    title: psaTitle(cert),
    rows: pageRows(cert),
    estimateUsd: null,
    population: { atGrade: cert.TotalPopulation, higher: cert.PopulationHigher },
  };
}

/** Builds the API record of a card whose page was recorded. Makes up the numbers that no page shows. */
function certOfPage(certNumber: string, page: RecordedPage): PsaCert {
  const field = (...labels: string[]): string =>
    labels.map((label) => page.fields[label]).find((value) => value !== undefined) ?? "";
  const random = seeded(`PSA spec ${certNumber}`);
  const grade = field("Item Grade", "Grade");
  return {
    CertNumber: certNumber,
    SpecID: random.int(150_000, 12_000_000),
    SpecNumber: `${random.pick(["CNU", "BUM", "JY9"])}${random.int(1_000_000, 9_999_999)}`,
    LabelType: "LighthouseLabel",
    ...(/yes/i.test(field("Reverse Cert/Barcode", "Reverse Cert Number/Barcode")) ? { ReverseBarCode: true } : {}),
    Year: field("Year"),
    Brand: field("Brand/Title", "Brand"),
    Category: field("Category", "Sport") || "TCG Cards",
    CardNumber: field("Card Number"),
    Subject: field("Subject", "Player"),
    Variety: field("Variety/Pedigree"),
    IsPSADNA: false,
    IsDualCert: false,
    GradeDescription: grade,
    CardGrade: grade,
    TotalPopulation: page.population?.atGrade ?? random.int(1, 900),
    TotalPopulationWithQualifier: 0,
    PopulationHigher: page.population?.higher ?? 0,
  };
}

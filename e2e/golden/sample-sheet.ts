import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expectCgc, RECORDED_CGC } from "./cgc-cards.ts";
import { readCsv } from "./csv-text.ts";
import type { ExpectedCard } from "./expected-card.ts";
import { expectPsaByApi, RECORDED_PSA } from "./psa-cards.ts";
import { expectTagByApi, RECORDED_TAG } from "./tag-cards.ts";

/** Every recorded certificate, and one row of each kind of invalid input. */
export const SAMPLE_SHEET = fileURLToPath(new URL("../../simulator/sample-certs.csv", import.meta.url));

export type SheetRow = { line: number; certNumber: string; gradingCompany: string; price: string; notes: string };

/** `line` counts from 1 and includes the header, as in a spreadsheet. */
export const SAMPLE_ROWS: SheetRow[] = readCsv(readFileSync(SAMPLE_SHEET, "utf8"))
  .slice(1)
  .map(([certNumber = "", gradingCompany = "", price = "", notes = ""], index) => ({
    line: index + 2,
    certNumber,
    gradingCompany,
    price,
    notes,
  }));

export const RECORDED = [
  ...RECORDED_PSA.map((certNumber) => `PSA ${certNumber}`),
  ...RECORDED_CGC.map((certNumber) => `CGC ${certNumber}`),
  ...RECORDED_TAG.map((certNumber) => `TAG ${certNumber}`),
];

/** A row that cannot become a card, and its message. */
export const BAD_ROWS: { certNumber: string; gradingCompany: string; message: string }[] = [
  { certNumber: "", gradingCompany: "PSA", message: "Missing CertNumber or GradingCompany" },
  { certNumber: "82456191", gradingCompany: "", message: "Missing CertNumber or GradingCompany" },
  {
    certNumber: "0012345678",
    gradingCompany: "BGS",
    message: "Unsupported grading company: BGS. Supported companies are: PSA, CGC, TAG",
  },
  {
    certNumber: "1.45531E+08",
    gradingCompany: "PSA",
    message:
      "The spreadsheet shortened this number to 1.45531E+08, so digits are lost. Format the column as text and type it again, or scan the label",
  },
  {
    certNumber: "ABC-12345",
    gradingCompany: "CGC",
    message: 'CGC cert numbers have 10 or 13 digits, not "ABC-12345". Compare it with the label',
  },
  {
    certNumber: "99999990",
    gradingCompany: "PSA",
    message: "Failed to fetch PSA cert 99999990: 404 PSA has no certificate 99999990",
  },
  {
    certNumber: "9999999990",
    gradingCompany: "CGC",
    message: "Failed to fetch CGC cert 9999999990: 404 CGC has no certificate 9999999990",
  },
  {
    certNumber: "X9999990",
    gradingCompany: "TAG",
    message: "Failed to fetch TAG cert X9999990: 404 TAG has no certificate X9999990",
  },
];

export function findBadRow(row: SheetRow): (typeof BAD_ROWS)[number] | undefined {
  return BAD_ROWS.find((bad) => bad.certNumber === row.certNumber && bad.gradingCompany === row.gradingCompany);
}

/** What the three graders' APIs return for a row's card. */
export async function expectByApi(row: SheetRow, upstreamOrigin: string): Promise<ExpectedCard> {
  // One row of the sample has a leading apostrophe, as spreadsheet users type it.
  const certNumber = row.certNumber.replace(/^'/, "");
  switch (row.gradingCompany) {
    case "PSA":
      return expectPsaByApi(certNumber, upstreamOrigin);
    case "CGC":
      return expectCgc(certNumber, upstreamOrigin, "api");
    default:
      return expectTagByApi(certNumber, upstreamOrigin);
  }
}

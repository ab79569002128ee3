/** The four columns of a sheet (SPEC section 3) and the field each fills. */
export const SHEET_COLUMNS = {
  certNumber: "CertNumber",
  gradingCompany: "GradingCompany",
  price: "Price",
  notes: "Notes",
} as const;

/** What a column of a sheet can be for. The last four are only compared with what the grader says. */
export const SHEET_FIELDS = ["certNumber", "gradingCompany", "price", "notes", "name", "grade", "year", "set"] as const;
export type SheetField = (typeof SHEET_FIELDS)[number];

/** Where each field stands: column indexes, absent when the sheet has no such column. */
export type SheetColumns = Partial<Record<SheetField, number>>;

/**
 * Names of the columns, as PSA's own order and collection files, CardLadder's and shop tools write them; letters and
 * digits only, the better name first.
 */
const NAMES: Record<SheetField, string[]> = {
  certNumber: [
    "certnumber",
    "certnumbers",
    "cert",
    "certs",
    "certno",
    "certnum",
    "certificatenumber",
    "certificationnumber",
    "certificateno",
    "certificationno",
    "certificate",
    "certification",
    "certid",
    "zertifikatsnummer",
    "zertifikatnummer",
    "zertifikat",
    "slabserial",
    "slabserialnumber",
    "psacert",
    "psacertnumber",
    "psacertno",
    "cgccert",
    "cgccertnumber",
    "tagcert",
    "tagcertnumber",
    "slabcert",
    "slabcertnumber",
    "slabnumber",
    "certificationnumberid27503",
    "cdacertificationnumberid27503",
    "certnumberproductmetafieldscustomcertnumber",
  ],
  gradingCompany: [
    "gradingcompany",
    "company",
    "grader",
    "gradeissuer",
    "gradingservice",
    "gradedby",
    "gradingco",
    "gradingcompanies",
    "cdprofessionalgraderid27501",
    "graderproductmetafieldscustomgrader",
  ],
  price: ["price", "cost", "mycost", "investment", "purchaseprice", "paid", "startprice", "preis", "kaufpreis"],
  notes: ["notes", "note", "mynotes", "comment", "comments", "remarks", "notiz", "notizen", "bemerkung", "bemerkungen"],
  name: [
    "itemname",
    "item",
    "cardname",
    "card",
    "description",
    "title",
    "name",
    "subject",
    "player",
    "playercharacter",
  ],
  grade: ["grade", "cardgrade", "cdgradeid27502", "condition"],
  year: ["year", "cardyear"],
  set: ["brandset", "set", "setname", "cardset", "brand", "series"],
};

const OF_ONE_COMPANY = /^(?:psa|cgc|tag)cert/;

export const HEADER_LINES_SEARCHED = 10;
/** A session keeps that many cells of a line; no column is looked for beyond them. */
export const MAX_SHEET_COLUMNS = 500;
/** A longer cell is text, no name. */
const LONGEST_NAME = 200;

/** A line of a sheet that names its columns. Lines count from 0. */
export type HeaderMatch = { headerLine: number; columns: SheetColumns };

/**
 * Finds the header among the first lines: of those that name the certificate number the one that names the most
 * columns, the first of equals. Nothing is looked for below the first number, as those lines are rows. Null when no
 * line names it.
 */
export function findHeader(lines: readonly (readonly string[])[]): HeaderMatch | null {
  let best: HeaderMatch | null = null;
  for (const [headerLine, cells] of lines.slice(0, HEADER_LINES_SEARCHED).entries()) {
    if (best !== null && /\d{6}/.test(cells[best.columns.certNumber ?? 0] ?? "")) break;
    const columns = columnsByName(cells);
    if (columns.certNumber === undefined) continue;
    if (best === null || Object.keys(columns).length > Object.keys(best.columns).length) best = { headerLine, columns };
  }
  return best;
}

/** True for the cell of a header that stands once more among the rows, as in sheets that were put together. */
export function isCertHeading(cell: string): boolean {
  return cell.length < 60 && !/\d{6}/.test(cell) && NAMES.certNumber.includes(plainName(cell));
}

/** A header as it is compared: letters and digits, no case. */
export function plainName(cell: string): string {
  return cell
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function columnsByName(cells: readonly string[]): SheetColumns {
  const columns: SheetColumns = {};
  const plain = cells.slice(0, MAX_SHEET_COLUMNS).map((cell) => (cell.length > LONGEST_NAME ? "" : plainName(cell)));
  const taken = new Set<number>();
  for (const field of SHEET_FIELDS) {
    const index = NAMES[field].map((name) => plain.indexOf(name)).find((at) => at >= 0 && !taken.has(at));
    if (index === undefined) continue;
    columns[field] = index;
    taken.add(index);
  }
  // One column for each company: none of them holds the numbers of all rows.
  const { certNumber, ...others } = columns;
  if (certNumber !== undefined && !OF_ONE_COMPANY.test(plain[certNumber] ?? "")) return columns;
  return plain.filter((name) => OF_ONE_COMPANY.test(name)).length > 1 ? others : columns;
}

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
    "cert",
    "certno",
    "certnum",
    "certificatenumber",
    "certificationnumber",
    "certificateno",
    "certificationno",
    "certificate",
    "certid",
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
  ],
  gradingCompany: [
    "gradingcompany",
    "company",
    "grader",
    "gradeissuer",
    "gradingservice",
    "gradedby",
    "gradingco",
    "cdprofessionalgraderid27501",
    "service",
  ],
  price: ["price", "cost", "mycost", "investment", "purchaseprice", "paid", "startprice"],
  notes: ["notes", "note", "comment", "comments", "remarks"],
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
  grade: ["grade", "cardgrade", "condition", "cdgradeid27502"],
  year: ["year", "cardyear"],
  set: ["brandset", "set", "setname", "cardset", "brand", "series"],
};

export const HEADER_LINES_SEARCHED = 10;

/** A line of a sheet that names its columns. Lines count from 0. */
export type HeaderMatch = { headerLine: number; columns: SheetColumns };

/** Finds the header among the first lines: the first that names the certificate number. Null when no line does. */
export function findHeader(lines: readonly (readonly string[])[]): HeaderMatch | null {
  for (const [headerLine, cells] of lines.slice(0, HEADER_LINES_SEARCHED).entries()) {
    const columns = columnsByName(cells);
    if (columns.certNumber !== undefined) return { headerLine, columns };
  }
  return null;
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
  const plain = cells.map(plainName);
  const taken = new Set<number>();
  for (const field of SHEET_FIELDS) {
    const index = NAMES[field].map((name) => plain.indexOf(name)).find((at) => at >= 0 && !taken.has(at));
    if (index === undefined) continue;
    columns[field] = index;
    taken.add(index);
  }
  return columns;
}

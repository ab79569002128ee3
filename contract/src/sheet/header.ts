import { MAX_SHEET_COLUMNS, type Lines } from "../api/sheet-format.ts";

export const SHEET_COLUMNS = {
  certNumber: "CertNumber",
  gradingCompany: "GradingCompany",
  price: "Price",
  notes: "Notes",
} as const;

/** The fields of a sheet's columns. The last four are only compared with the grader's data. */
export const SHEET_FIELDS = ["certNumber", "gradingCompany", "price", "notes", "name", "grade", "year", "set"] as const;
export type SheetField = (typeof SHEET_FIELDS)[number];

/** The column index of each field, absent if the sheet has no such column. */
export type SheetColumns = Partial<Record<SheetField, number>>;

/** Column names in files of PSA, CardLadder and shop tools: letters and digits only, preferred names first. */
const NAMES: Record<SheetField, string[]> = {
  certNumber: namesIn(`
    certnumber certnumbers cert certs certno certnum certificatenumber certificationnumber certificateno
    certificationno certificate certification certid zertifikatsnummer zertifikatnummer zertifikat slabserial
    slabserialnumber psacert psacertnumber psacertno cgccert cgccertnumber tagcert tagcertnumber slabcert
    slabcertnumber slabnumber certificationnumberid27503 cdacertificationnumberid27503
    certnumberproductmetafieldscustomcertnumber`),
  gradingCompany: namesIn(`
    gradingcompany company grader gradeissuer gradingservice gradedby gradingco gradingcompanies
    cdprofessionalgraderid27501 graderproductmetafieldscustomgrader`),
  price: namesIn("price cost mycost investment purchaseprice paid startprice preis kaufpreis"),
  notes: namesIn("notes note mynotes comment comments remarks notiz notizen bemerkung bemerkungen"),
  name: namesIn("itemname item cardname card description title name subject player playercharacter"),
  grade: namesIn("grade cardgrade cdgradeid27502 condition"),
  year: namesIn("year cardyear"),
  set: namesIn("brandset set setname cardset brand series"),
};

function namesIn(text: string): string[] {
  return text.trim().split(/\s+/);
}

const OF_ONE_COMPANY = /^(?:psa|cgc|tag)cert/;

export const HEADER_LINES_SEARCHED = 10;
const LONGEST_NAME = 80;

/** Finds the line that names the cert number and the most columns. Stops at the first cert number: rows start there. */
export function findHeader(lines: Lines) {
  let best: { headerLine: number; columns: SheetColumns } | null = null;
  for (const [headerLine, cells] of lines.slice(0, HEADER_LINES_SEARCHED).entries()) {
    if (best !== null && /\d{6}/.test(cells[best.columns.certNumber ?? 0] ?? "")) break;
    const columns = columnsByName(cells);
    if (columns.certNumber === undefined) continue;
    if (best === null || Object.keys(columns).length > Object.keys(best.columns).length) best = { headerLine, columns };
  }
  return best;
}

/** True for a header cell repeated among the rows, as in concatenated sheets. */
export function isCertHeading(cell: string): boolean {
  return cell.length < 60 && !/\d{6}/.test(cell) && NAMES.certNumber.includes(plainName(cell));
}

/**
 * Normalizes a header for comparison: lowercase letters and digits only. Empty for a long text, which names no column:
 * the time for normalizing combining marks grows with the square of their number.
 */
export function plainName(cell: string): string {
  if (cell.length > LONGEST_NAME) return "";
  return cell
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function columnsByName(cells: readonly string[]): SheetColumns {
  const columns: SheetColumns = {};
  const plain = cells.slice(0, MAX_SHEET_COLUMNS).map(plainName);
  const taken = new Set<number>();
  for (const field of SHEET_FIELDS) {
    const index = NAMES[field].map((name) => plain.indexOf(name)).find((at) => at >= 0 && !taken.has(at));
    if (index === undefined) continue;
    columns[field] = index;
    taken.add(index);
  }
  // If the sheet has one number column per company, no single column has the numbers of all rows.
  const { certNumber, ...others } = columns;
  if (certNumber !== undefined && !OF_ONE_COMPANY.test(plain[certNumber] ?? "")) return columns;
  return plain.filter((name) => OF_ONE_COMPANY.test(name)).length > 1 ? others : columns;
}

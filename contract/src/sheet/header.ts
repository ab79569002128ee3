/** The four columns of a sheet (SPEC section 3) and the field each fills. */
export const SHEET_COLUMNS = {
  certNumber: "CertNumber",
  gradingCompany: "GradingCompany",
  price: "Price",
  notes: "Notes",
} as const;
export type SheetField = keyof typeof SHEET_COLUMNS;

/** Other names of the columns, as PSA's own order and collection files and shop tools write them; letters and digits only. */
const NAMES: Record<SheetField, string[]> = {
  certNumber: [
    "certnumber",
    "cert",
    "certno",
    "certificatenumber",
    "certificationnumber",
    "certificate",
    "certid",
    "slabserial",
  ],
  gradingCompany: ["gradingcompany", "company", "grader", "gradeissuer", "gradingservice", "service"],
  price: ["price", "cost", "mycost"],
  notes: ["notes", "note", "comment", "comments"],
};

/** Where in a sheet each field stands: column indexes, absent when the sheet has no such column. */
export type HeaderMatch = { headerLine: number; header: string[]; columns: Partial<Record<SheetField, number>> };

const SHEET_FIELDS = ["certNumber", "gradingCompany", "price", "notes"] as const satisfies readonly SheetField[];
export const HEADER_LINES_SEARCHED = 10;

/**
 * Finds the header among the first lines of a sheet: the first line that names the certificate number.
 * Null when no line does. Lines count from 0.
 */
export function findHeader(lines: readonly (readonly string[])[]): HeaderMatch | null {
  for (const [headerLine, cells] of lines.slice(0, HEADER_LINES_SEARCHED).entries()) {
    const columns = matchColumns(cells);
    if (columns.certNumber !== undefined) return { headerLine, header: [...cells], columns };
  }
  return null;
}

function matchColumns(cells: readonly string[]): HeaderMatch["columns"] {
  const columns: HeaderMatch["columns"] = {};
  const plain = cells.map((cell) => cell.toLowerCase().replace(/[^a-z0-9]/g, ""));
  for (const field of SHEET_FIELDS) {
    const index = NAMES[field].map((name) => plain.indexOf(name)).find((at) => at >= 0);
    if (index !== undefined) columns[field] = index;
  }
  return columns;
}

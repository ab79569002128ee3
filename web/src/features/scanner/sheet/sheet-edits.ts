import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { readSheetCert } from "@slabdesk/contract/certs/cert-number.ts";
import { SHEET_COLUMNS } from "@slabdesk/contract/sheet/header.ts";
import type { SheetRow } from "@slabdesk/contract/sheet/row.ts";
import { readSheet } from "@slabdesk/contract/sheet/sheet.ts";
import type { Part } from "./sheet-parts.ts";

export type EditedField = keyof typeof SHEET_COLUMNS;

/** The part with one cell changed as the user typed it. A field without a column gets one behind the others. */
export function withCell(part: Part, line: number, field: EditedField, text: string): Part {
  if (!part.reading.ok) throw new Error("The part could not be read");
  if (field === "gradingCompany") return { ...part, companies: new Map(part.companies).set(line, text) };
  const { mapping } = part.reading;
  const width = part.lines.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  const column = mapping.columns[field] ?? width;
  const lines = [...part.lines];
  const put = (index: number, cell: string): void => {
    const cells = lines[index] ?? [];
    lines[index] = Array.from({ length: Math.max(cells.length, column + 1) }, (_, at) =>
      at === column ? cell : (cells[at] ?? ""),
    );
  };
  put(line - 1, text);
  if (column === width && mapping.headerLine !== null) put(mapping.headerLine, SHEET_COLUMNS[field]);
  const withColumn = { ...mapping, columns: { ...mapping.columns, [field]: column } };
  return { ...part, lines, reading: readSheet(lines, part.form.delimiter, withColumn) };
}

/** Which company rows without one get: the one that the number names, the same for all, or none. */
export const GUESSES = ["numbers", ...COMPANIES, "none"] as const;
export type Guess = (typeof GUESSES)[number];

/** A part's rows with the chosen and guessed companies. `sheetCard` keeps what the sheet says. */
export function rowsOfPart({ reading, isBare, companies }: Part, guess: Guess): SheetRow[] {
  if (!reading.ok) return [];
  if (!isBare && companies.size === 0) return reading.sheet.rows;
  return reading.sheet.rows.map((row) => {
    const company = companies.get(row.line) ?? (isBare ? guessCompany(row, guess) : null);
    if (company === null) return row;
    const sheetCard = { ...row.sheetCard, company: row.sheetCard?.company ?? row.gradingCompany };
    return { ...row, gradingCompany: company, sheetCard };
  });
}

function guessCompany({ certNumber, gradingCompany }: SheetRow, guess: Guess): Company | null {
  if (gradingCompany.trim() !== "" || guess === "none") return null;
  const { suggestion } = readSheetCert(certNumber, "");
  return suggestion === null || guess === "numbers" ? suggestion : guess;
}

import type { z } from "zod";
import type { newSheetRowSchema } from "@slabdesk/contract/api/sessions.ts";
import { customerPriceOf } from "@slabdesk/contract/sheet/price.ts";
import { judgeRow, type JudgeOptions, type SheetCard, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import { charactersIn } from "./slices.ts";

/** A sheet row as stored before its lookup. */
export type NewRow = ReturnType<typeof newRow>;

/** The columns of a new row that come from its sheet, with their types. */
export const SHEET_COLUMNS = {
  line: "integer",
  cells: "jsonb",
  sheet_notes: "text",
  sheet_card: "jsonb",
  price: "numeric",
  price_text: "text",
  customer_price: "text",
  warnings: "jsonb",
  status: "text",
  outcome: "text",
  cert_number: "text",
  grading_company: "text",
  notes: "text",
  processing_error: "text",
} as const satisfies Record<keyof NewRow, string>;

/** Converts a sheet line to a stored row: `pending`, or `error` with the message of its verdict. */
function newRow(sheet: SheetRow, options: JudgeOptions) {
  const verdict = judgeRow(sheet, options);
  const typed = {
    line: sheet.line,
    cells: sheet.cells,
    sheet_notes: sheet.notes,
    sheet_card: sheet.sheetCard && saysSomething(sheet.sheetCard) ? sheet.sheetCard : null,
    price: verdict.price,
    price_text: sheet.price,
    customer_price: customerPriceOf(verdict.price),
    warnings: verdict.warnings,
  };
  if (verdict.kind === "ready") {
    return {
      ...typed,
      status: "pending" as const,
      outcome: null,
      cert_number: verdict.certNumber,
      grading_company: verdict.company,
      notes: sheet.notes,
      processing_error: null,
    };
  }
  const certNumber = sheet.certNumber.trim();
  return {
    ...typed,
    status: "error" as const,
    outcome: verdict.outcome,
    cert_number: certNumber,
    grading_company: sheet.gradingCompany.trim(),
    notes: `Error: ${verdict.message}`,
    processing_error: verdict.message,
  };
}

function saysSomething(card: SheetCard): boolean {
  return Object.values(card).some((text) => text !== undefined && text.trim() !== "");
}

/** Validates the rows of a sheet, each when it is taken. */
export function* judgeRows(rows: Iterable<UploadedRow>, options: JudgeOptions): Generator<NewRow, undefined> {
  for (const row of rows) yield newRow({ ...row, price: String(row.price ?? ""), notes: row.notes ?? "" }, options);
}

export type UploadedRow = z.output<typeof newSheetRowSchema>;

/** About what the database needs for a row besides its texts, with its indexes and its job. */
const ROW_BYTES = 1_000;

/** About the size of new rows, for the quota of their owner. */
export function sizeOfRows(rows: readonly UploadedRow[]): number {
  return charactersIn(rows) + rows.length * ROW_BYTES;
}

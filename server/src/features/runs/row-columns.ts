import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { CARD_FIELDS, recordOf } from "@slabdesk/contract/api/card-fields.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { newSheetRowSchema } from "@slabdesk/contract/api/sessions.ts";
import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { customerPriceOf } from "@slabdesk/contract/sheet/price.ts";
import { judgeRow, type JudgeOptions, type SheetCard, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import { CARD_COLUMNS, type CardColumn } from "../../database/card-columns.ts";
import type { Found, NotFound } from "../../graders/grader.ts";

type CardColumns = Record<CardColumn, string>;

/** A sheet row as stored before its look-up. Rows with the same cert share a `job_id`. */
export type NewRow = {
  line: number;
  cells: string[];
  sheet_notes: string;
  sheet_card: SheetCard | null;
  status: "pending" | "error";
  outcome: OutcomeCode | null;
  job_id: string | null;
  cert_number: string;
  grading_company: string;
  price: number | null;
  price_text: string;
  customer_price: string;
  notes: string;
  processing_error: string | null;
  warnings: string[];
} & Record<CardColumn, string | null>;

/** The values that a look-up writes to the rows of its job. If `notes` is null, the sheet's note is kept. */
export type Settlement = {
  status: "completed" | "error" | "completed_retry" | "failed";
  outcome: OutcomeCode;
  source: "api" | "page" | null;
  notes: string | null;
  processing_error: string | null;
} & CardColumns;

/** The values of a row whose card is in the retry queue. */
export type QueuedColumns = { status: "queued"; outcome: OutcomeCode; item_name: string; processing_error: string };

export const NO_CARD = recordOf(CARD_FIELDS, (field) => [CARD_COLUMNS[field], null]);

/**
 * The columns of a failed card (docs/conformance.md, 8-06 to 8-08): the item name contains the number, the player is
 * "Error", and all other fields are "N/A".
 */
function errorColumns(certNumber: string): CardColumns {
  return {
    ...recordOf(CARD_FIELDS, (field) => [CARD_COLUMNS[field], NOT_AVAILABLE]),
    item_name: `Error: ${certNumber || NOT_AVAILABLE}`,
    player_character: "Error",
  };
}

/** Converts a sheet line to a stored row: `pending` with a job, or `error` with the message of its verdict. */
function newRow(
  sheet: SheetRow,
  options: JudgeOptions,
  jobIdOf: (company: Company, certNumber: string) => string,
): NewRow {
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
      ...NO_CARD,
      status: "pending",
      outcome: null,
      job_id: jobIdOf(verdict.company, verdict.certNumber),
      cert_number: verdict.certNumber,
      grading_company: verdict.company,
      notes: sheet.notes,
      processing_error: null,
    };
  }
  const certNumber = sheet.certNumber.trim();
  return {
    ...typed,
    ...errorColumns(certNumber),
    status: "error",
    outcome: verdict.outcome,
    job_id: null,
    cert_number: certNumber,
    grading_company: sheet.gradingCompany.trim(),
    notes: `Error: ${verdict.message}`,
    processing_error: verdict.message,
  };
}

function saysSomething(card: SheetCard): boolean {
  return Object.values(card).some((text) => text !== undefined && text.trim() !== "");
}

/** Validates the rows of a sheet. Rows with the same cert share one job, so that one look-up fills them all. */
export function judgeRows(rows: readonly UploadedRow[], options: JudgeOptions): NewRow[] {
  const jobIds = new Map<string, string>();
  const jobIdOf = (company: Company, certNumber: string): string => {
    const key = `${company} ${certNumber}`;
    const jobId = jobIds.get(key) ?? randomUUID();
    jobIds.set(key, jobId);
    return jobId;
  };
  return rows.map((row) =>
    newRow({ ...row, price: String(row.price ?? ""), notes: row.notes ?? "" }, options, jobIdOf),
  );
}

export type UploadedRow = z.output<typeof newSheetRowSchema>;

/** Returns the values that an answer writes to its rows. `isRetry` is true for cards of the retry queue. */
export function settlementOf(card: SettledCard, answer: Found | NotFound): Settlement {
  if (answer.code === "found") return foundSettlement(answer, card.isRetry);
  const error = errorMessage(card, answer);
  return card.isRetry
    ? errorSettlement(card.certNumber, "failed", answer.code, error, `Retry failed: ${error}`)
    : errorSettlement(card.certNumber, "error", answer.code, error, `Error: ${error}`);
}

export type SettledCard = { company: string; certNumber: string; isRetry: boolean };

/** Returns the values for a card whose retry could not be queued (docs/conformance.md, 8-13). */
export function queueFailureOf(card: SettledCard, answer: NotFound, reason: string): Settlement {
  const error = errorMessage(card, answer);
  return errorSettlement(card.certNumber, "error", answer.code, error, `Timeout - Queue failed: ${reason}`);
}

export function queuedColumns(card: SettledCard, answer: NotFound): QueuedColumns {
  return {
    status: "queued",
    outcome: answer.code,
    item_name: `Queued: ${card.certNumber}`,
    processing_error: errorMessage(card, answer),
  };
}

function errorMessage({ company, certNumber }: SettledCard, { code, message }: NotFound): string {
  return code === "timeout"
    ? message
    : `Failed to fetch ${company} cert ${certNumber}: ${OUTCOMES[code].status} ${message}`;
}

function errorSettlement(
  certNumber: string,
  status: "error" | "failed",
  outcome: OutcomeCode,
  error: string,
  notes: string,
): Settlement {
  return { ...errorColumns(certNumber), status, outcome, source: null, notes, processing_error: error };
}

function foundSettlement({ card, source, notes }: Found, isRetry: boolean): Settlement {
  return {
    status: isRetry ? "completed_retry" : "completed",
    outcome: "found",
    source,
    notes: notes === "" ? null : notes,
    processing_error: null,
    ...recordOf(CARD_FIELDS, (field) => [CARD_COLUMNS[field], card[field] ?? NOT_AVAILABLE]),
  };
}

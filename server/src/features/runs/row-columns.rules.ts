import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { CARD_FIELDS, recordOf, NO_POPULATION, type Card } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { newSheetRowSchema } from "@slabdesk/contract/api/sessions.ts";
import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { customerPriceOf } from "@slabdesk/contract/sheet/price.ts";
import { judgeRow, type JudgeOptions, type SheetCard, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import {
  CARD_COLUMN_NAMES,
  CARD_COLUMNS,
  populationColumns,
  type CardColumn,
  type PopulationColumns,
} from "../../database/card-columns.ts";
import { ROWS_OF_A_JOB } from "../../database/rows-of-a-job.ts";
import type { Found, NotFound } from "../../graders/grader.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";

type CardColumns = Record<CardColumn, string> & PopulationColumns;

/** The values that a lookup writes to the rows of its job. */
export type Settlement = {
  status: "completed" | "error" | "completed_retry" | "failed";
  outcome: OutcomeCode;
  source: "api" | "page" | null;
  notes: string;
  processing_error: string | null;
} & CardColumns;

export type QueuedColumns = Pick<RowRecord, "outcome" | "item_name" | "processing_error"> & { status: "queued" };

export const NO_CARD = {
  ...recordOf(CARD_FIELDS, (field) => [CARD_COLUMNS[field], null]),
  ...populationColumns(NO_POPULATION),
};

/** The columns of a failed card (docs/conformance.md, 8-06 to 8-08). */
export function errorColumns(certNumber: string): CardColumns {
  return {
    ...recordOf(CARD_FIELDS, (field) => [CARD_COLUMNS[field], NOT_AVAILABLE]),
    ...populationColumns(NO_POPULATION),
    item_name: `Error: ${certNumber || NOT_AVAILABLE}`,
    player_character: "Error",
  };
}

/** A sheet row as stored before its lookup. Missing columns are null. Rows with the same cert share jobs. */
export type NewRow = ReturnType<typeof newRow>;

export const NEW_ROW_COLUMNS = [
  ...(["line", "cells", "sheet_notes", "sheet_card", "price", "price_text", "customer_price", "warnings"] as const),
  ...(["status", "outcome", "job_id", "cert_number", "grading_company", "notes", "processing_error"] as const),
  ...CARD_COLUMN_NAMES,
] as const satisfies readonly (keyof RowRecord)[];

/** Converts a sheet line to a stored row: `pending` with a job, or `error` with the message of its verdict. */
function newRow(sheet: SheetRow, options: JudgeOptions, jobIdOf: (company: Company, certNumber: string) => string) {
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
    status: "error" as const,
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

/** Validates the rows of a sheet, each when it is taken. Up to ROWS_OF_A_JOB rows with the same cert share one job. */
export function* judgeRows(rows: Iterable<UploadedRow>, options: JudgeOptions): Generator<NewRow, undefined> {
  const jobsOfCards = new Map<string, { id: string; rows: number }>();
  const jobIdOf = (company: Company, certNumber: string): string => {
    const key = `${company} ${certNumber}`;
    const before = jobsOfCards.get(key);
    const job = before && before.rows < ROWS_OF_A_JOB ? before : { id: newJobId(), rows: 0 };
    job.rows += 1;
    jobsOfCards.set(key, job);
    return job.id;
  };
  for (const row of rows)
    yield newRow({ ...row, price: String(row.price ?? ""), notes: row.notes ?? "" }, options, jobIdOf);
}

/** A UUID of version 7. It begins with the time, so that the jobs of a sheet are neighbors in an index. */
function newJobId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

export type UploadedRow = z.output<typeof newSheetRowSchema>;

export type SettledCard = { company: string; certNumber: string; isRetry: boolean };

/** Returns the values that an answer writes to its rows. `isRetry` is true for cards of the retry queue. */
export function settlementOf(card: SettledCard, answer: Found | NotFound): Settlement {
  if (answer.code === "found") {
    const status = card.isRetry ? "completed_retry" : "completed";
    const { source, notes } = answer;
    return { status, outcome: "found", source, notes, processing_error: null, ...cardColumns(answer.card) };
  }
  return card.isRetry
    ? errorSettlement(card, answer, "failed", `Retry failed: ${errorMessage(card, answer)}`)
    : errorSettlement(card, answer, "error", `Error: ${errorMessage(card, answer)}`);
}

/** Returns the values for a card whose retry could not be queued (docs/conformance.md, 8-13). */
export function queueFailureOf(card: SettledCard, answer: NotFound, reason: string): Settlement {
  return errorSettlement(card, answer, "error", `Timeout - Queue failed: ${reason}`);
}

/** Returns the values of a card in the retry queue. `answer` is null if it was not looked up yet. */
export function queuedColumns(card: SettledCard, answer: NotFound | null): QueuedColumns {
  return {
    status: "queued",
    outcome: answer && answer.code,
    item_name: `Queued: ${card.certNumber}`,
    processing_error: answer && errorMessage(card, answer),
  };
}

export function errorMessage(
  { company, certNumber }: Pick<SettledCard, "company" | "certNumber">,
  { code, message }: Pick<NotFound, "code" | "message">,
): string {
  return code === "timeout"
    ? message
    : `Failed to fetch ${company} cert ${certNumber}: ${OUTCOMES[code].status} ${message}`;
}

function errorSettlement(card: SettledCard, answer: NotFound, status: "error" | "failed", notes: string): Settlement {
  const processing_error = errorMessage(card, answer);
  return { ...errorColumns(card.certNumber), status, outcome: answer.code, source: null, notes, processing_error };
}

export function cardColumns(card: Card): CardColumns {
  return {
    ...recordOf(CARD_FIELDS, (field) => [CARD_COLUMNS[field], card[field] ?? NOT_AVAILABLE]),
    ...populationColumns(card),
  };
}

import type { z } from "zod";
import { CARD_FIELDS, recordOf, NO_POPULATION, type Card } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { newSheetRowSchema } from "@slabdesk/contract/api/sessions.ts";
import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { customerPriceOf } from "@slabdesk/contract/sheet/price.ts";
import { judgeRow, type JudgeOptions, type SheetCard, type SheetRow } from "@slabdesk/contract/sheet/row.ts";
import {
  CARD_COLUMNS,
  populationColumns,
  type CardColumn,
  type PopulationColumns,
} from "../../database/card-columns.ts";
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
} as const satisfies Partial<Record<keyof RowRecord, string>>;

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

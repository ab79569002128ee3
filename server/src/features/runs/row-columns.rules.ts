import { CARD_FIELDS, recordOf, NO_POPULATION, type Card } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
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

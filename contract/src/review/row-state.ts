import { OUTCOMES, type OutcomeCode } from "../api/outcomes.ts";
import type { ResultRow } from "../api/results.ts";
import { isAmbiguousPrice } from "../sheet/price.ts";

/** Outcomes caused by the sheet, not by a grader. */
export const SHEET_OUTCOMES: readonly OutcomeCode[] = ["invalid_row", "invalid_number"];

export function isFound({ status }: Pick<ResultRow, "status">): boolean {
  return status === "completed" || status === "completed_retry";
}

export function isError({ status }: Pick<ResultRow, "status">): boolean {
  return status === "error" || status === "failed";
}

type Ending = Pick<ResultRow, "status" | "outcome">;

/** True if a different number could fix the failure: the cell is damaged or the card wasn't found. */
export function canEdit(row: Ending): boolean {
  if (!isError(row) || row.outcome === null) return false;
  return OUTCOMES[row.outcome].group === "not_found" || SHEET_OUTCOMES.includes(row.outcome);
}

export function canRetry(row: Ending): boolean {
  return isError(row) && (row.outcome === null || !SHEET_OUTCOMES.includes(row.outcome));
}

/** True if the price cell isn't an amount or is ambiguous. */
export function hasPriceInDoubt({ price, priceText }: Pick<ResultRow, "price" | "priceText">): boolean {
  return price === null ? priceText.trim() !== "" : isAmbiguousPrice(priceText);
}

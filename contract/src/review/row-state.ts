import { OUTCOMES, type OutcomeCode } from "../api/outcomes.ts";
import type { ResultRow } from "../api/results.ts";
import { isAmbiguousPrice } from "../sheet/price.ts";

/** Outcomes that say something about the sheet, not about a grader. */
export const SHEET_OUTCOMES: readonly OutcomeCode[] = ["invalid_row", "invalid_number"];

/** True when the row has its card. */
export function isFound({ status }: Pick<ResultRow, "status">): boolean {
  return status === "completed" || status === "completed_retry";
}

/** True when the row came to an end without its card. */
export function isError({ status }: Pick<ResultRow, "status">): boolean {
  return status === "error" || status === "failed";
}

type Ending = Pick<ResultRow, "status" | "outcome">;

/** True when the failure is one that another number may cure: the cell is damaged, or nothing was found under it. */
export function canEdit(row: Ending): boolean {
  if (!isError(row) || row.outcome === null) return false;
  return OUTCOMES[row.outcome].group === "not_found" || SHEET_OUTCOMES.includes(row.outcome);
}

/** True when a failed row can be looked up again as it is. */
export function canRetry(row: Ending): boolean {
  return isError(row) && (row.outcome === null || !SHEET_OUTCOMES.includes(row.outcome));
}

/** True when the cell of the price is no amount, or one that can be read in two ways. */
export function hasPriceInDoubt({ price, priceText }: Pick<ResultRow, "price" | "priceText">): boolean {
  return price === null ? priceText.trim() !== "" : isAmbiguousPrice(priceText);
}

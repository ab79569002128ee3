import { OUTCOMES, type OutcomeCode } from "../api/outcomes.ts";
import { type ResultRow, NOT_AVAILABLE } from "../api/results.ts";
import { isAmbiguousPrice } from "../sheet/price.ts";

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

/** True if the card may be entered by hand: the row failed, waits, or was found without a name; its number is usable. */
export function canEnter(row: Pick<ResultRow, "status" | "outcome" | "source" | "itemName">): boolean {
  if (row.outcome === null || SHEET_OUTCOMES.includes(row.outcome)) return false;
  if (isFound(row)) return row.itemName === NOT_AVAILABLE || isEnteredHere(row);
  return isError(row) || row.status === "waiting";
}

/** True if the row's own card was entered by hand, so that it can be changed and removed. */
export function isEnteredHere(row: Pick<ResultRow, "status" | "source">): boolean {
  return isFound(row) && row.source === "hand";
}

/** True if the row shows a card entered by hand, in this row or in the cached cert. */
export function isByHand(row: Pick<ResultRow, "status" | "source" | "entry">): boolean {
  return isFound(row) && row.entry !== null && (row.source === "hand" || row.source === "known");
}

export function hasPriceInDoubt({ price, priceText }: Pick<ResultRow, "price" | "priceText">): boolean {
  return price === null ? priceText.trim() !== "" : isAmbiguousPrice(priceText);
}

const TOTAL = /^(?:grand |sub-?)?totals?:?$/i;

export function isTotal({ certNumber }: Pick<ResultRow, "certNumber">): boolean {
  return TOTAL.test(certNumber.trim());
}

/** What is wrong with a line, in a few words. Files have the whole message (docs/conformance.md, 5-10 and 5-12). */
export function sheetFailureTitle(row: Pick<ResultRow, "outcome" | "certNumber" | "gradingCompany">): string {
  if (isTotal(row)) return "Skipped: total row";
  if (row.outcome === "invalid_number") return "Invalid number";
  if (row.certNumber.trim() === "") return "No cert number";
  return row.gradingCompany.trim() === "" ? "No grading company" : "Unknown grading company";
}

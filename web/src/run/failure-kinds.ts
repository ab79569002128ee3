import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { SHEET_OUTCOMES } from "@slabdesk/contract/review/row-state.ts";

/** Kinds of failures by what staff do next: accept the result, retry, fix the sheet, or ask an administrator. */
export const FAILURE_KINDS = ["not_found", "outage", "damaged", "needs_admin"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A missing outcome, or one in no other kind, needs an administrator: nothing indicates that a retry would help. */
export function failureKindOf(outcome: OutcomeCode | null): FailureKind {
  if (outcome === null) return "needs_admin";
  if (SHEET_OUTCOMES.includes(outcome)) return "damaged";
  const { group } = OUTCOMES[outcome];
  return group === "not_found" || group === "outage" ? group : "needs_admin";
}

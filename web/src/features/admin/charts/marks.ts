import type { AdminFilter } from "../admin-filter.ts";

/** True if both filters match the same rows. */
export function isSameMark(one: AdminFilter, other: AdminFilter): boolean {
  return (
    one.user?.id === other.user?.id &&
    one.day === other.day &&
    one.company === other.company &&
    one.outcome === other.outcome
  );
}

/**
 * True if a mark is faded because another mark is selected. Only fields that both filters set count: a selected day
 * doesn't fade company names, and a selected user fades no day.
 */
export function isFaded(chosen: AdminFilter, mark: AdminFilter): boolean {
  return (
    differ(chosen.user?.id, mark.user?.id) ||
    differ(chosen.day, mark.day) ||
    differ(chosen.company, mark.company) ||
    differ(chosen.outcome, mark.outcome)
  );
}

function differ(chosen: string | undefined, marked: string | undefined): boolean {
  return chosen !== undefined && marked !== undefined && chosen !== marked;
}

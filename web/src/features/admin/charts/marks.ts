import type { AdminFilter } from "../admin-filter.ts";

/** Whether both stand for the same rows. */
export function isSameMark(one: AdminFilter, other: AdminFilter): boolean {
  return (
    one.user?.id === other.user?.id &&
    one.day === other.day &&
    one.company === other.company &&
    one.outcome === other.outcome
  );
}

/**
 * Whether a mark steps back because another one is chosen. Only what both say something of counts: a chosen day leaves
 * the companies' names as they are, and a chosen person all days.
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

import { createContext } from "react";
import type { AdminFilter, FilterProps } from "../admin-filter.ts";

/** The chosen filter, and how a mark of a chart sets another. */
export const MarkContext = createContext<FilterProps>({ filter: {}, onFilter: () => {} });

function valuesOf({ user, day, company, outcome }: AdminFilter): (string | undefined)[] {
  return [user?.id, day, company, outcome];
}

export function isSameMark(one: AdminFilter, other: AdminFilter): boolean {
  const values = valuesOf(other);
  return valuesOf(one).every((value, index) => value === values[index]);
}

/**
 * True if a mark is faded because another mark is selected. Only fields that both filters set count: a selected day
 * doesn't fade company names, and a selected user fades no day.
 */
export function isFaded(chosen: AdminFilter, mark: AdminFilter): boolean {
  const marked = valuesOf(mark);
  return valuesOf(chosen).some(
    (value, index) => value !== undefined && marked[index] !== undefined && value !== marked[index],
  );
}

import { SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import type { DashboardView } from "./dashboard-storage.ts";

type Sort = DashboardView["sort"];

/** SPEC's sort by Date/Name/Cards/Status. */
const SORT_LABELS: Record<Sort, string> = { date: "Date", name: "Name", cards: "Cards", status: "Status" };

export const SORT_CHOICES = SESSION_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }));

/** SPEC's words of the two orders, falling and rising; what has no age is said as it is. */
const ORDER_LABELS: Record<Sort, readonly [descending: string, ascending: string]> = {
  date: ["Newest first", "Oldest first"],
  name: ["Z to A", "A to Z"],
  cards: ["Most first", "Fewest first"],
  status: ["Z to A", "A to Z"],
};

export function orderMessage(sort: Sort): readonly [descending: string, ascending: string] {
  return ORDER_LABELS[sort];
}

/** A sort as it was picked, in the order that it is mostly wanted in. */
export function sortOf(value: string): Pick<DashboardView, "sort" | "order"> {
  const sort = SESSION_SORTS.find((known) => known === value) ?? "date";
  return { sort, order: sort === "date" || sort === "cards" ? "desc" : "asc" };
}

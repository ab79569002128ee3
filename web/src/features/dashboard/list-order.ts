import { SESSION_SORTS } from "@slabdesk/contract/api/sessions.ts";
import type { DashboardView } from "./dashboard-storage.ts";

type Sort = DashboardView["sort"];

const SORT_LABELS: Record<Sort, string> = { date: "Date", name: "Name", cards: "Cards", status: "Status" };

export const SORT_CHOICES = SESSION_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }));

/** Labels of the two orders, descending and ascending. */
export const ORDER_LABELS: Record<Sort, readonly [descending: string, ascending: string]> = {
  date: ["Newest first", "Oldest first"],
  name: ["Z to A", "A to Z"],
  cards: ["Most first", "Fewest first"],
  status: ["Z to A", "A to Z"],
};

/** Parses a selected sort and adds its usual order. */
export function sortOf(value: string): Pick<DashboardView, "sort" | "order"> {
  const sort = SESSION_SORTS.find((known) => known === value) ?? "date";
  return { sort, order: sort === "date" || sort === "cards" ? "desc" : "asc" };
}

import { COLUMN_HEADERS } from "../columns/columns.tsx";
import type { TableSort } from "./row-sorter.ts";

/** The tooltip that describes a sort. */
export function sortMessage(sort: TableSort | null): string {
  if (sort === null) return "Back to the order of the sheet";
  return `Sort by ${COLUMN_HEADERS.get(sort.columnId) ?? sort.columnId}, ${sort.direction}`;
}

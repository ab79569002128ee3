import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { RowsSnapshot } from "./rows-store.ts";
import { hasImage, isError, isFound, hasRemarks } from "./row-words.ts";

export const ROW_FILTERS = ["all", "needs_a_look", "no_image"] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export const FILTER_LABELS: Record<RowFilter, string> = {
  all: "All",
  needs_a_look: "Needs a look",
  no_image: "No image",
};

const MATCHES: Record<RowFilter, (row: ResultRow) => boolean> = {
  all: () => true,
  needs_a_look: (row) => isError(row) || hasRemarks(row),
  no_image: (row) => isFound(row) && !hasImage(row.imageUrl) && !hasImage(row.imageUrlBack),
};

/** How many rows each filter would show, whatever is typed in the find box. */
export function countByFilter(rows: RowsSnapshot): Record<RowFilter, number> {
  const counts: Record<RowFilter, number> = { all: rows.length, needs_a_look: 0, no_image: 0 };
  for (const row of rows) {
    if (MATCHES.needs_a_look(row)) counts.needs_a_look += 1;
    if (MATCHES.no_image(row)) counts.no_image += 1;
  }
  return counts;
}

/** The rows a filter and the words of the find box leave, in sheet order; every word has to be somewhere in the row. */
export function filterRows(rows: RowsSnapshot, filter: RowFilter, find: string): RowsSnapshot {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (filter === "all" && words.length === 0) return rows;
  return rows.filter((row) => MATCHES[filter](row) && words.every((word) => searchText(row).includes(word)));
}

/** Rows are never changed in place, so what can be found in one is worked out once. */
const searchTexts = new WeakMap<ResultRow, string>();

function searchText(row: ResultRow): string {
  const known = searchTexts.get(row);
  if (known !== undefined) return known;
  const fields = [
    row.itemName,
    row.certNumber,
    row.gradingCompany,
    row.player,
    row.brand,
    row.year,
    row.cardNumber,
    row.grade,
    row.sport,
    row.variety,
    row.language,
    row.notes,
    row.error,
  ];
  const text = fields.join("\n").toLowerCase();
  searchTexts.set(row, text);
  return text;
}

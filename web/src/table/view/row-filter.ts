import { IMAGE_FLAGS, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { failureKindOf } from "../../run/failure-kinds.ts";
import { IMAGE_FLAG_LABELS } from "../row/image-messages.ts";
import type { ReasonsOf } from "../review/use-review-reasons.ts";
import { hasNoPrice } from "../prices/market-view.ts";
import { isDifferent, isRepaired } from "../row/row-messages.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";

export const ROW_FILTERS = [
  "all",
  "needs_review",
  "no_image",
  "one_side",
  "same_sides",
  "differs",
  "repaired",
  "no_price",
  "sources_disagree",
  "not_found",
  "outage",
  "damaged",
  "needs_admin",
  "waiting",
] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

/** The number of rows per filter. A filter that matches no rows is absent. */
export type FilterCounts = Readonly<Partial<Record<RowFilter, number>>>;

export const FILTER_LABELS: Record<RowFilter, string> = {
  all: "All",
  needs_review: "Needs a look",
  ...IMAGE_FLAG_LABELS,
  differs: "Differs",
  repaired: "Repaired",
  no_price: "No price",
  sources_disagree: "Sources disagree",
  not_found: "Not found",
  outage: "Outages",
  damaged: "Damaged numbers",
  needs_admin: "Needs an administrator",
  waiting: "Waiting",
};

/** Caches each row's filters per reasons function. Rows are immutable, so entries never go stale. */
const knownFilters = new WeakMap<ReasonsOf, WeakMap<ResultRow, readonly RowFilter[]>>();

/** The filters that match a row, besides "all". A row needs review if it has review reasons. */
function filtersOf(row: ResultRow, reasonsOf: ReasonsOf): readonly RowFilter[] {
  const known = knownFilters.get(reasonsOf) ?? new WeakMap<ResultRow, readonly RowFilter[]>();
  knownFilters.set(reasonsOf, known);
  const before = known.get(row);
  if (before !== undefined) return before;
  const filters = workOutFilters(row, reasonsOf);
  known.set(row, filters);
  return filters;
}

function workOutFilters(row: ResultRow, reasonsOf: ReasonsOf): readonly RowFilter[] {
  const filters: RowFilter[] = IMAGE_FLAGS.filter((flag) => row.imageFlags.includes(flag));
  if (isError(row)) filters.push(failureKindOf(row.outcome));
  if (row.status === "waiting" || row.status === "queued") filters.push("waiting");
  if (isDifferent(row)) filters.push("differs");
  if (isRepaired(row)) filters.push("repaired");
  if (hasNoPrice(row)) filters.push("no_price");
  if (disagreementOf(row) !== null) filters.push("sources_disagree");
  if (reasonsOf(row).length > 0) filters.push("needs_review");
  return filters;
}

/** Filters that the toolbar always shows. Others appear only when they match rows. */
const STANDING: readonly RowFilter[] = ["all", "needs_review", "no_image"];

/** The filters to offer. The current filter stays even if no row matches it anymore. */
export function offeredFilters(counts: FilterCounts, current: RowFilter): RowFilter[] {
  return ROW_FILTERS.filter((name) => STANDING.includes(name) || name === current || counts[name] !== undefined);
}

/** Counts the rows per filter, ignoring the find text. */
export function countByFilter(rows: RowsSnapshot, reasonsOf: ReasonsOf): FilterCounts {
  const counts: Partial<Record<RowFilter, number>> = { all: rows.length };
  for (const row of rows) for (const filter of filtersOf(row, reasonsOf)) counts[filter] = (counts[filter] ?? 0) + 1;
  return counts;
}

/** The rows that match the filter and the find text, in their original order. Every word must occur in the row. */
export function filterRows(rows: RowsSnapshot, filter: RowFilter, find: string, reasonsOf: ReasonsOf): RowsSnapshot {
  const message = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (filter === "all" && message.length === 0) return rows;
  return rows.filter(
    (row) =>
      (filter === "all" || filtersOf(row, reasonsOf).includes(filter)) &&
      message.every((word) => searchText(row).includes(word)),
  );
}

/** Caches each row's searchable text. Rows are immutable, so entries never go stale. */
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
    ...row.mismatches,
    ...row.warnings,
  ];
  const text = fields.join("\n").toLowerCase();
  searchTexts.set(row, text);
  return text;
}

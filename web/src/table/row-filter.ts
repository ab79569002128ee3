import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { IMAGE_FLAGS, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { isError, SHEET_OUTCOMES } from "@slabdesk/contract/review/row-state.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { IMAGE_FLAG_LABELS } from "./image-messages.ts";
import type { ReasonsOf } from "./review/use-review-reasons.ts";
import { hasNoPrice } from "./prices/market-view.ts";
import { isDifferent, isRepaired } from "./row-messages.ts";
import type { RowsSnapshot } from "./rows-store.ts";

/** What came of failed rows, as staff act on it: ask again, correct the sheet, call somebody, or take it as an answer. */
export const FAILURE_KINDS = ["not_found", "outage", "damaged", "needs_admin"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A failure that carries no outcome, or one that is none, wants a person: nothing says that asking again helps. */
export function failureKindOf(outcome: OutcomeCode | null): FailureKind {
  if (outcome === null) return "needs_admin";
  if (SHEET_OUTCOMES.includes(outcome)) return "damaged";
  const { group } = OUTCOMES[outcome];
  return group === "not_found" || group === "outage" ? group : "needs_admin";
}

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

/** Rows are never changed in place, so what a row is in is worked out once for the same reasons to look at rows. */
const knownFilters = new WeakMap<ReasonsOf, WeakMap<ResultRow, readonly RowFilter[]>>();

/** The filters a row is in, besides "all"; a row that needs a look has reasons to. */
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

/** The filters that have a place in the toolbar whatever the rows are; the others are there when they would show some. */
const STANDING: readonly RowFilter[] = ["all", "needs_review", "no_image"];

/** Which filters to offer; the one in use stays, also when its last row has left it. */
export function offeredFilters(counts: Record<RowFilter, number>, current: RowFilter): RowFilter[] {
  return ROW_FILTERS.filter((name) => STANDING.includes(name) || name === current || counts[name] > 0);
}

/** How many rows each filter would show, whatever is typed in the find box. */
export function countByFilter(rows: RowsSnapshot, reasonsOf: ReasonsOf): Record<RowFilter, number> {
  const counts: Record<RowFilter, number> = {
    all: rows.length,
    needs_review: 0,
    no_image: 0,
    one_side: 0,
    same_sides: 0,
    differs: 0,
    repaired: 0,
    no_price: 0,
    sources_disagree: 0,
    not_found: 0,
    outage: 0,
    damaged: 0,
    needs_admin: 0,
    waiting: 0,
  };
  for (const row of rows) for (const filter of filtersOf(row, reasonsOf)) counts[filter] += 1;
  return counts;
}

/** The rows a filter and the words of the find box leave, in the order they come in; every word has to be somewhere in the row. */
export function filterRows(rows: RowsSnapshot, filter: RowFilter, find: string, reasonsOf: ReasonsOf): RowsSnapshot {
  const message = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (filter === "all" && message.length === 0) return rows;
  return rows.filter(
    (row) =>
      (filter === "all" || filtersOf(row, reasonsOf).includes(filter)) &&
      message.every((word) => searchText(row).includes(word)),
  );
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
    ...row.mismatches,
    ...row.warnings,
  ];
  const text = fields.join("\n").toLowerCase();
  searchTexts.set(row, text);
  return text;
}

import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { hasNoPrice } from "./prices/market-view.ts";
import type { RowsSnapshot } from "./rows-store.ts";
import { hasImage, isDifferent, isError, isFound, isInDoubt, isRepaired, SHEET_OUTCOMES } from "./row-words.ts";

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
  "needs_a_look",
  "no_image",
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
  needs_a_look: "Needs a look",
  no_image: "No image",
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

const failsAs =
  (kind: FailureKind) =>
  (row: ResultRow): boolean =>
    isError(row) && failureKindOf(row.outcome) === kind;

const MATCHES: Record<RowFilter, (row: ResultRow) => boolean> = {
  all: () => true,
  needs_a_look: (row) => isError(row) || isInDoubt(row),
  no_image: (row) => isFound(row) && !hasImage(row.imageUrl) && !hasImage(row.imageUrlBack),
  differs: isDifferent,
  repaired: isRepaired,
  no_price: hasNoPrice,
  sources_disagree: (row) => disagreementOf(row) !== null,
  not_found: failsAs("not_found"),
  outage: failsAs("outage"),
  damaged: failsAs("damaged"),
  needs_admin: failsAs("needs_admin"),
  waiting: (row) => row.status === "waiting" || row.status === "queued",
};

/** The filters that have a place in the toolbar whatever the rows are; the others are there when they would show some. */
const STANDING: readonly RowFilter[] = ["all", "needs_a_look", "no_image"];

/** Which filters to offer; the one in use stays, also when its last row has left it. */
export function offeredFilters(counts: Record<RowFilter, number>, current: RowFilter): RowFilter[] {
  return ROW_FILTERS.filter((name) => STANDING.includes(name) || name === current || counts[name] > 0);
}

/** How many rows each filter would show, whatever is typed in the find box. */
export function countByFilter(rows: RowsSnapshot): Record<RowFilter, number> {
  const counts: Record<RowFilter, number> = {
    all: rows.length,
    needs_a_look: 0,
    no_image: 0,
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
  for (const row of rows) {
    if (MATCHES.needs_a_look(row)) counts.needs_a_look += 1;
    if (MATCHES.no_image(row)) counts.no_image += 1;
    if (isDifferent(row)) counts.differs += 1;
    if (isRepaired(row)) counts.repaired += 1;
    if (hasNoPrice(row)) counts.no_price += 1;
    if (MATCHES.sources_disagree(row)) counts.sources_disagree += 1;
    if (MATCHES.waiting(row)) counts.waiting += 1;
    if (isError(row)) counts[failureKindOf(row.outcome)] += 1;
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
    ...row.mismatches,
    ...row.warnings,
  ];
  const text = fields.join("\n").toLowerCase();
  searchTexts.set(row, text);
  return text;
}

import { imageFlagSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { disagreementOf } from "@slabdesk/contract/market/disagreement.ts";
import { failureKindOf } from "../../run/run-progress.ts";
import { cached } from "../row/cached.ts";
import { IMAGE_FLAG_LABELS } from "../../card/images.ts";
import type { ReasonsOf } from "../review/use-review-reasons.ts";
import { hasNoPrice } from "../../card/prices/market-state.ts";
import { isRepaired, notesOf } from "../../card/row-messages.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";

const FILTERS = [
  ["all", "All"],
  ["needs_review", "Needs review"],
  ["no_image", IMAGE_FLAG_LABELS.no_image],
  ["one_side", IMAGE_FLAG_LABELS.one_side],
  ["same_sides", IMAGE_FLAG_LABELS.same_sides],
  ["differs", "Differs"],
  ["repaired", "Repaired"],
  ["no_price", "No price"],
  ["sources_disagree", "Sources disagree"],
  ["not_found", "Not found"],
  ["outage", "To retry"],
  ["invalid", "To fix"],
  ["needs_admin", "Needs an administrator"],
  ["waiting", "Waiting"],
] as const;
export type RowFilter = (typeof FILTERS)[number][0];
export const ROW_FILTERS: readonly RowFilter[] = FILTERS.map(([name]) => name);
export const FILTER_LABELS: ReadonlyMap<RowFilter, string> = new Map(FILTERS);

/** The number of rows per filter. A filter that matches no rows is absent. */
export type FilterCounts = Readonly<Partial<Record<RowFilter, number>>>;

const filtersWith = cached((reasonsOf: ReasonsOf) =>
  cached((row: ResultRow): readonly RowFilter[] => {
    const filters: RowFilter[] = imageFlagSchema.options.filter((flag) => row.imageFlags.includes(flag));
    if (isError(row)) filters.push(failureKindOf(row.outcome));
    if (row.status === "waiting" || row.status === "queued") filters.push("waiting");
    if (row.mismatches.length > 0) filters.push("differs");
    if (isRepaired(row)) filters.push("repaired");
    if (hasNoPrice(row)) filters.push("no_price");
    if (disagreementOf(row) !== null) filters.push("sources_disagree");
    if (reasonsOf(row).length > 0) filters.push("needs_review");
    return filters;
  }),
);

/** Filters that the toolbar always shows. Others appear only when they match rows. */
const STANDING: readonly RowFilter[] = ["all", "needs_review", "no_image"];

/** The filters to offer. The current filter stays even if no row matches it anymore. */
export function offeredFilters(counts: FilterCounts, current: RowFilter): RowFilter[] {
  return ROW_FILTERS.filter((name) => STANDING.includes(name) || name === current || counts[name] !== undefined);
}

/** Counts the rows per filter, ignoring the find text. */
export function countByFilter(rows: RowsSnapshot, reasonsOf: ReasonsOf): FilterCounts {
  const counts: Partial<Record<RowFilter, number>> = { all: rows.length };
  for (const filter of rows.flatMap(filtersWith(reasonsOf))) counts[filter] = (counts[filter] ?? 0) + 1;
  return counts;
}

export function filterRows(rows: RowsSnapshot, filter: RowFilter, reasonsOf: ReasonsOf): RowsSnapshot {
  if (filter === "all") return rows;
  const filtersOf = filtersWith(reasonsOf);
  return rows.filter((row) => filtersOf(row).includes(filter));
}

/** The words of a find text. Every word must occur in a row. */
export const wordsOf = (find: string): string[] => find.toLowerCase().split(/\s+/).filter(Boolean);

type SearchedField = {
  name: string;
  /** The column that shows the field; null if none does. */
  columnId: string | null;
  text: (row: ResultRow) => string | null;
};

const SEARCHED_FIELDS: readonly SearchedField[] = [
  { name: "Item Name", columnId: "itemName", text: ({ itemName, error }) => `${itemName ?? ""}\n${error ?? ""}` },
  { name: "Player/Character", columnId: "itemName", text: ({ player }) => player },
  { name: "Brand/Set", columnId: "itemName", text: ({ brand }) => brand },
  { name: "Differences", columnId: "itemName", text: ({ mismatches }) => mismatches.join("\n") },
  { name: "Certification", columnId: "certification", text: (row) => `${row.gradingCompany}\n${row.certNumber}` },
  { name: "Year", columnId: "year", text: ({ year }) => year },
  { name: "Card Number", columnId: "cardNumber", text: ({ cardNumber }) => cardNumber },
  { name: "Grade", columnId: "grade", text: ({ grade }) => grade },
  { name: "Sport/Game", columnId: "sport", text: ({ sport }) => sport },
  { name: "Language", columnId: "language", text: ({ language }) => language },
  { name: "Notes", columnId: "notes", text: notesOf },
  { name: "Variety", columnId: null, text: ({ variety }) => variety },
  { name: "Changes", columnId: null, text: ({ warnings }) => warnings.join("\n") },
];

const lowerText = (fields: readonly SearchedField[], row: ResultRow): string =>
  fields.map(({ text }) => text(row)?.toLowerCase() ?? "").join("\n");

/** All fields in one string. Words have no line feeds, so no match spans two fields. */
const searchText = cached((row: ResultRow): string => lowerText(SEARCHED_FIELDS, row));

/** The search texts of some rows in one string, which is much faster to search, and where each row's text ends in it. */
type SearchedRows = { rows: RowsSnapshot; text: string; ends: readonly number[] };

/** Keeps the strings far below the maximum length. */
const ROWS_OF_A_TEXT = 1_000;

const searchedRows = cached((all: RowsSnapshot): readonly SearchedRows[] => {
  const parts: SearchedRows[] = [];
  for (let from = 0; from < all.length; from += ROWS_OF_A_TEXT) {
    const rows = all.slice(from, from + ROWS_OF_A_TEXT);
    const texts = rows.map(searchText);
    let end = -1;
    parts.push({ rows, text: texts.join("\n"), ends: texts.map(({ length }) => (end += length + 1)) });
  }
  return parts;
});

const PREPARED_AT_ONCE = 2_000;

/** Prepares the search text of rows in small steps, so that Find responds to the first letter as fast as to the others. */
export async function prepareFind(rows: RowsSnapshot): Promise<void> {
  for (let from = 0; from < rows.length; from += PREPARED_AT_ONCE) {
    rows.slice(from, from + PREPARED_AT_ONCE).forEach(searchText);
    await new Promise((resolve) => setTimeout(resolve));
  }
  searchedRows(rows);
}

/** The rows that contain every word of a find text. */
export function findRows(rows: RowsSnapshot, find: string): RowsSnapshot {
  const words = wordsOf(find);
  if (words.length === 0) return rows;
  return searchedRows(rows).flatMap((part) => {
    const hits = new Uint16Array(part.rows.length);
    for (const word of words) addHits(hits, word, part);
    return part.rows.filter((_, index) => hits[index] === words.length);
  });
}

/** Adds one to each row that contains the word. */
function addHits(hits: Uint16Array, word: string, { text, ends }: SearchedRows): void {
  let row = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, ends[row])) {
    while (at >= (ends[row] ?? Infinity)) row += 1;
    hits[row] = (hits[row] ?? 0) + 1;
  }
}

/** Rows that Find shows although a word of it occurs only in fields that no visible column shows, and these fields. */
export type HiddenMatches = { count: number; fields: readonly string[] };

/** With more matching rows, the message about hidden matches helps nobody. */
const MOST_EXPLAINED = 5_000;

/** `rows` are those that match. Null if there are more than `MOST_EXPLAINED`. */
export function hiddenMatchesOf(rows: RowsSnapshot, find: string, columnIds: readonly string[]): HiddenMatches | null {
  const words = wordsOf(find);
  if (words.length === 0 || rows.length > MOST_EXPLAINED) return null;
  const isVisible = ({ columnId }: SearchedField): boolean => columnId !== null && columnIds.includes(columnId);
  const visible = SEARCHED_FIELDS.filter(isVisible);
  const hidden = SEARCHED_FIELDS.filter((field) => !isVisible(field));
  const names = new Set<string>();
  let count = 0;
  for (const row of rows) {
    const hiddenText = lowerText(hidden, row);
    // Few rows have a word in a hidden field, so the visible ones are rarely read.
    const inHidden = words.filter((word) => hiddenText.includes(word));
    if (inHidden.length === 0) continue;
    const visibleText = lowerText(visible, row);
    const onlyHidden = inHidden.filter((word) => !visibleText.includes(word));
    if (onlyHidden.length > 0) count += 1;
    for (const word of onlyHidden) {
      const field = hidden.find((one) => lowerText([one], row).includes(word));
      if (field) names.add(field.name);
    }
  }
  return count === 0 ? null : { count, fields: [...names] };
}

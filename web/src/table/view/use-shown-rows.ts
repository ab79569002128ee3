import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { useDeferredValue, useMemo, useState } from "react";
import type { ReasonsOf } from "../review/use-review-reasons.ts";
import { countByFilter, filterRows, type RowFilter } from "./row-filter.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { RowSorter, type TableSort } from "../sort/row-sorter.ts";

type ShownRowsOptions = {
  all: RowsSnapshot;
  filter: RowFilter;
  find: string;
  sort: TableSort | null;
  offerRule: OfferRule | null;
  reasonsOf: ReasonsOf;
};

type ShownRows = {
  /** The rows that match the filter and the find text, sorted. */
  rows: RowsSnapshot;
  counts: Record<RowFilter, number>;
  /** Changes when the user asks for other rows or another order. */
  viewKey: string;
};

/** The rows that a table shows. Sorting is deferred until the keystroke or click has been painted. */
export function useShownRows({ all, filter, find, sort, offerRule, reasonsOf }: ShownRowsOptions): ShownRows {
  const deferredFind = useDeferredValue(find);
  const deferredSort = useDeferredValue(sort);
  const [sorter] = useState(() => new RowSorter());
  const counts = useMemo(() => countByFilter(all, reasonsOf), [all, reasonsOf]);
  const sorted = useMemo(() => sorter.sort(all, deferredSort, offerRule), [sorter, all, deferredSort, offerRule]);
  const rows = useMemo(
    () => filterRows(sorted, filter, deferredFind, reasonsOf),
    [sorted, filter, deferredFind, reasonsOf],
  );
  const viewKey = `${filter} ${deferredSort?.columnId} ${deferredSort?.direction} ${deferredFind}`;
  return { rows, counts, viewKey };
}

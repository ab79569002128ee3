import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import { useDeferredValue, useMemo, useState } from "react";
import type { ReasonsOf } from "./review/use-review-reasons.ts";
import { countByFilter, filterRows, type RowFilter } from "./row-filter.ts";
import type { RowsSnapshot } from "./rows-store.ts";
import { RowSorter, type TableSort } from "./sort/row-sorter.ts";

type ShownRowsOptions = {
  all: RowsSnapshot;
  filter: RowFilter;
  find: string;
  sort: TableSort | null;
  offerRule: OfferRule | null;
  reasonsOf: ReasonsOf;
};

type ShownRows = {
  /** Those of the filter and the words, in their order. */
  rows: RowsSnapshot;
  counts: Record<RowFilter, number>;
  /** Changes when the user asks for other rows or another order. */
  viewKey: string;
};

/** What a table shows of its rows. Sorting comes after the typing and the click that asked for it have been drawn. */
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

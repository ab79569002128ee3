import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useDeferredValue, useMemo, useState, useSyncExternalStore } from "react";
import type { RowsSnapshot, RowsStore } from "../../run/rows-store.ts";
import type { SessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import type { TableSettings } from "../columns/use-table-preferences.ts";
import { type JumpRequest, useRowJump } from "../grid/use-row-jump.ts";
import { useStepOn } from "../grid/use-step-on.ts";
import { useReviewProgress } from "../review/use-review-progress.ts";
import { type ReasonsOf, useReviewReasons } from "../review/use-review-reasons.ts";
import { RowSorter, type TableSort } from "../sort/row-sorter.ts";
import { countByFilter, filterRows } from "./row-filter.ts";
import { useRememberedFilter } from "./use-remembered-filter.ts";
import type { TableView } from "./use-table-view.ts";

type TableRowsOptions = {
  store: RowsStore;
  view: TableView;
  session: ScanSession | null;
  lookups: SessionLookupHistory;
  settings: TableSettings;
  jump: JumpRequest | null;
};

export type TableRows = ReturnType<typeof useTableRows>;

/** A table's rows: all of them, those shown, and the row to scroll to. */
export function useTableRows({ store, view, session, lookups, settings, jump }: TableRowsOptions) {
  const { preferences, isLoaded } = settings;
  const all = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const reasonsOf = useReviewReasons(preferences.highValue, lookups);
  const { rows, counts, viewKey } = useShownRows(all, view, preferences.sort, session?.offerRule ?? null, reasonsOf);
  const progress = useReviewProgress(all, reasonsOf, view.filter === "needs_review");
  const { reveal, bringIntoView } = useRowJump({ jump, all, shown: rows, view });
  useRememberedFilter({
    view,
    all,
    counts,
    isRunning: session?.status === "processing",
    remembered: preferences.filter,
    isLoaded,
    isJumpedTo: jump !== null && store.has(jump.rowId),
  });
  useStepOn(rows, viewKey, view.activeId, view.setActiveId);
  return { all, rows, counts, viewKey, reasonsOf, progress, reveal, bringIntoView };
}

/**
 * The rows that match the filter and the find text, sorted. Sorting is deferred until the keystroke or click has been
 * painted. `viewKey` changes when the user asks for other rows or another order.
 */
function useShownRows(
  all: RowsSnapshot,
  { filter, find }: TableView,
  sort: TableSort | null,
  offerRule: OfferRule | null,
  reasonsOf: ReasonsOf,
) {
  const words = useDeferredValue(find);
  const order = useDeferredValue(sort);
  const [sorter] = useState(() => new RowSorter());
  const counts = useMemo(() => countByFilter(all, reasonsOf), [all, reasonsOf]);
  const sorted = useMemo(() => sorter.sort(all, order, offerRule), [sorter, all, order, offerRule]);
  const rows = useMemo(() => filterRows(sorted, filter, words, reasonsOf), [sorted, filter, words, reasonsOf]);
  return { rows, counts, viewKey: `${filter} ${order?.columnId} ${order?.direction} ${words}` };
}

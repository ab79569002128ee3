import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { inReviewOrder } from "@slabdesk/contract/review/reasons.ts";
import { isError, isFound } from "@slabdesk/contract/review/row-state.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { rowTitle } from "../card/row-messages.ts";
import type { RowsSnapshot, RowsStore } from "../run/rows-store.ts";
import type { SessionLookupHistory } from "../run/use-session-lookup-history.ts";
import { counted } from "../ui/format-numbers.ts";
import { toast } from "../ui/toast.tsx";
import { filterToBeginWith } from "./columns/table-preferences.ts";
import type { TableSettings } from "./columns/use-table-preferences.ts";
import { type JumpRequest, useRowJump, useStepOn } from "./use-row-jump.ts";
import { type ReasonsOf, useReasons, useReviewProgress } from "./review/use-review-reasons.ts";
import { RowSorter, type TableSort } from "./columns/row-sorter.ts";
import { countByFilter, filterRows, findRows } from "./filter/row-filter.ts";
import type { TableControl } from "./filter/use-table-control.ts";

type TableRowsOptions = {
  store: RowsStore;
  control: TableControl;
  session: ScanSession | null;
  lookups: SessionLookupHistory;
  settings: TableSettings;
  jump: JumpRequest | null;
};

export type TableRows = ReturnType<typeof useTableRows>;

/** A table's rows: all of them, those shown, and the row to scroll to. */
export function useTableRows({ store, control, session, lookups, settings, jump }: TableRowsOptions) {
  const { preferences, isLoaded, change } = settings;
  const all = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const reasonsOf = useReasons(preferences, lookups);
  const offerRule = session?.offerRule ?? null;
  const { rows, counts, listKey } = useShownRows(all, control, preferences.sort, offerRule, reasonsOf);
  const progress = useReviewProgress(all, reasonsOf, control.filter === "needs_review");
  const { reveal, bringIntoView, jumpTo } = useRowJump(jump, all, rows, control);
  useFoundNews(all, rows, jumpTo);
  useStepOn(rows, listKey, control);

  const sessionId = all[0]?.sessionId ?? null;
  const applyRememberedFilter = useEffectEvent((of: string) => {
    if (control.isFilterChosen || (jump !== null && store.has(jump.rowId))) return;
    const isRunning = session?.status === "processing";
    control.applyFilter(filterToBeginWith(preferences.filter, { sessionId: of, isRunning, counts }));
  });
  // Decides once per session, when its first rows arrive. A later choice in another table has no effect here.
  useEffect(() => {
    if (sessionId !== null && isLoaded) applyRememberedFilter(sessionId);
  }, [sessionId, isLoaded]);
  const { filter, isFilterUnsaved, noteFilterSaved } = control;
  const id = session?.id ?? null;
  useEffect(() => {
    if (!isFilterUnsaved) return;
    noteFilterSaved();
    if (id !== null) change((current) => ({ ...current, filter: { name: filter, sessionId: id } }));
  }, [filter, isFilterUnsaved, noteFilterSaved, id, change]);
  return { all, rows, counts, listKey, reasonsOf, progress, reveal, bringIntoView };
}

/**
 * The rows that match the filter and the find text, sorted; without a sort, in the order of the sheet or of the review.
 * Sorting is deferred until the click has been painted. `listKey` changes for other rows or another order.
 */
function useShownRows(
  all: RowsSnapshot,
  { filter, find }: TableControl,
  sort: TableSort | null,
  offerRule: OfferRule | null,
  reasonsOf: ReasonsOf,
) {
  const order = useDeferredValue(sort);
  const [sorter] = useState(() => new RowSorter());
  const counts = useMemo(() => countByFilter(all, reasonsOf), [all, reasonsOf]);
  const sorted = useMemo(() => sorter.sort(all, order, offerRule), [sorter, all, order, offerRule]);
  const filtered = useMemo(() => filterRows(sorted, filter, reasonsOf), [sorted, filter, reasonsOf]);
  const rows = useMemo(() => {
    const found = findRows(filtered, find);
    return filter === "needs_review" && order === null ? inReviewOrder(found, reasonsOf) : found;
  }, [filtered, filter, find, order, reasonsOf]);
  return { rows, counts, listKey: `${filter} ${order?.columnId} ${order?.direction} ${find}` };
}

/** Says that a failed row was found after all if it has left the shown rows, with a button that shows it. */
function useFoundNews(all: RowsSnapshot, shown: RowsSnapshot, onShow: (row: ResultRow) => void): void {
  const seen = useRef<{ rows: RowsSnapshot; retried: ReadonlySet<string> }>({ rows: all, retried: new Set() });
  const announce = useEffectEvent((found: RowsSnapshot) => {
    const inView = new Set(shown.map(({ id }) => id));
    const [first, ...others] = found.filter(({ id }) => !inView.has(id));
    if (!first) return;
    const name = others.length === 0 ? (rowTitle(first) ?? first.certNumber) : counted(others.length + 1, "card");
    toast.offer({ id: "found", message: `Found: ${name}`, action: { label: "Show", run: () => onShow(first) } });
  });
  useEffect(() => {
    const { found, retried } = foundIn(seen.current.rows, all, seen.current.retried);
    seen.current = { rows: all, retried };
    if (found.length > 0) announce(found);
  }, [all]);
}

/** The rows that failed before and are found now, and those that failed before and are not settled again. */
export function foundIn(before: RowsSnapshot, now: RowsSnapshot, retriedBefore: ReadonlySet<string>) {
  const changed = now.filter((row, index) => row !== before[index]);
  if (changed.length === 0) return { found: changed, retried: retriedBefore };
  const ids = new Set(changed.map(({ id }) => id));
  const failed = new Set(before.filter((row) => ids.has(row.id) && isError(row)).map(({ id }) => id));
  const again = changed.filter(({ id }) => failed.has(id) || retriedBefore.has(id));
  const retried = new Set(retriedBefore);
  for (const row of again) {
    if (isFound(row) || isError(row)) retried.delete(row.id);
    else retried.add(row.id);
  }
  return { found: again.filter(isFound), retried };
}

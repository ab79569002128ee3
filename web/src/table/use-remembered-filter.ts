import { useEffect, useRef } from "react";
import type { RowFilter } from "./row-filter.ts";
import type { RowsSnapshot } from "./rows-store.ts";
import { type ChangePreferences, filterToBeginWith, type TablePreferences } from "./table-preferences.ts";
import type { TableView } from "./use-table-view.ts";

type RememberedFilterOptions = {
  view: TableView;
  all: RowsSnapshot;
  counts: Readonly<Record<RowFilter, number>>;
  isRunning: boolean;
  preferences: TablePreferences;
  /** Whether the server has said what it remembers. */
  isLoaded: boolean;
  change: ChangePreferences;
  /** Somebody has come from elsewhere to a row of this session, which a filter could hide. */
  isJumpedTo: boolean;
};

/** Remembers the filter that is chosen, and begins with it where that surprises nobody; decided once a session, with its first rows. */
export function useRememberedFilter(options: RememberedFilterOptions): void {
  const { view, all, counts, isRunning, preferences, isLoaded, change, isJumpedTo } = options;
  const { filter, isFilterChosen, applyFilter } = view;
  const remembered = preferences.filter;
  const sessionId = all[0]?.sessionId ?? null;
  const decidedFor = useRef<string | null>(null);

  useEffect(() => {
    if (sessionId === null || !isLoaded || decidedFor.current === sessionId) return;
    decidedFor.current = sessionId;
    if (!isFilterChosen && !isJumpedTo) applyFilter(filterToBeginWith(remembered, { sessionId, isRunning, counts }));
  }, [sessionId, isLoaded, isFilterChosen, isJumpedTo, applyFilter, remembered, isRunning, counts]);

  useEffect(() => {
    if (sessionId === null || !isFilterChosen) return;
    if (remembered?.name === filter && remembered.sessionId === sessionId) return;
    change((current) => ({ ...current, filter: { name: filter, sessionId } }));
  }, [sessionId, isFilterChosen, filter, remembered, change]);
}

import { useEffect, useRef } from "react";
import type { FilterCounts } from "./row-filter.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { filterToBeginWith, type RememberedFilter } from "../columns/table-preferences.ts";
import type { TableView } from "./use-table-view.ts";

type RememberedFilterOptions = {
  view: TableView;
  all: RowsSnapshot;
  counts: FilterCounts;
  isRunning: boolean;
  remembered: RememberedFilter | null;
  /** Whether the server's settings are loaded. */
  isLoaded: boolean;
  /** The user has jumped to a row of this session, which a filter could hide. */
  isJumpedTo: boolean;
};

/**
 * Applies the last filter chosen, if appropriate. Decides once per session, when its first rows arrive. A later choice
 * in another table of the page has no effect here.
 */
export function useRememberedFilter(options: RememberedFilterOptions): void {
  const { view, all, counts, isRunning, remembered, isLoaded, isJumpedTo } = options;
  const { isFilterChosen, applyFilter } = view;
  const sessionId = all[0]?.sessionId ?? null;
  const decidedFor = useRef<string | null>(null);

  useEffect(() => {
    if (sessionId === null || !isLoaded || decidedFor.current === sessionId) return;
    decidedFor.current = sessionId;
    if (!isFilterChosen && !isJumpedTo) applyFilter(filterToBeginWith(remembered, { sessionId, isRunning, counts }));
  }, [sessionId, isLoaded, isFilterChosen, isJumpedTo, applyFilter, remembered, isRunning, counts]);
}

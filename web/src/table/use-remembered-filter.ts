import { useEffect, useRef } from "react";
import type { RowFilter } from "./row-filter.ts";
import type { RowsSnapshot } from "./rows-store.ts";
import { filterToBeginWith, type RememberedFilter } from "./table-preferences.ts";
import type { TableView } from "./use-table-view.ts";

type RememberedFilterOptions = {
  view: TableView;
  all: RowsSnapshot;
  counts: Readonly<Record<RowFilter, number>>;
  isRunning: boolean;
  remembered: RememberedFilter | null;
  /** Whether the server has said what it remembers. */
  isLoaded: boolean;
  /** Somebody has come from elsewhere to a row of this session, which a filter could hide. */
  isJumpedTo: boolean;
};

/**
 * Begins with the filter that was chosen last where that surprises nobody; decided once a session, with its first rows.
 * What another table of the page chooses later changes nothing here.
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

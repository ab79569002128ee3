import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Panel } from "../ui/Panel.tsx";
import { ActiveRowBar } from "./grid/ActiveRowBar.tsx";
import { CardList } from "./grid/CardList.tsx";
import { resizeColumn, shownOrder, withoutIdle } from "./columns/column-arrangement.ts";
import { ColumnsMenu } from "./columns/ColumnsMenu.tsx";
import { OFFER_COLUMN_ID, PROCESSED_COLUMN_ID } from "./columns/columns.tsx";
import type { ErrorBox } from "./row/row-messages.ts";
import { isFreeEscape } from "../ui/grid-keys.ts";
import { KeysDialog } from "./grid/KeysDialog.tsx";
import { LEADING_COLUMNS, LEADING_LOOK_COLUMNS } from "./columns/leading-columns.tsx";
import { ReviewHead } from "./review/ReviewHead.tsx";
import { useReviewProgress } from "./review/use-review-progress.ts";
import { useReviewReasons } from "./review/use-review-reasons.ts";
import { TotalsBar } from "./prices/TotalsBar.tsx";
import { ResultsGrid } from "./grid/ResultsGrid.tsx";
import styles from "./ResultsTable.module.css";
import type { RowsStore } from "../run/rows-store.ts";
import type { SelectionExports } from "./selection/selection-export.ts";
import { SelectionBar } from "./selection/SelectionBar.tsx";
import { useSelection } from "./selection/use-selection.ts";
import type { TableSort } from "./sort/row-sorter.ts";
import { SortMenu } from "./sort/SortMenu.tsx";
import { arrangedFor, type TablePreferences } from "./columns/table-preferences.ts";
import { TableToolbar } from "./view/TableToolbar.tsx";
import { usePageKeys } from "../ui/use-page-keys.ts";
import { useRememberedFilter } from "./view/use-remembered-filter.ts";
import { type JumpRequest, useRowJump } from "./grid/use-row-jump.ts";
import { focusGrid } from "./use-row-repairs.tsx";
import { useRowTools } from "./use-row-tools.tsx";
import type { SessionLookupHistory } from "../run/use-session-lookup-history.ts";
import { useShownRows } from "./view/use-shown-rows.ts";
import { useStepOn } from "./grid/use-step-on.ts";
import { useTablePreferences } from "./columns/use-table-preferences.ts";
import type { TableView } from "./view/use-table-view.ts";
import { WithoutRows } from "./view/WithoutRows.tsx";

/** Below this width, the table becomes cards. */
const PHONE = "(max-width: 40em)";

type ResultsTableProps = {
  /** The accessible name of the rows. */
  label: string;
  rows: RowsStore;
  view: TableView;
  /** The session of the rows; null while there is none. */
  session: ScanSession | null;
  /** Shown when there are no rows. */
  whenEmpty: ReactNode;
  /** Buttons at the right end of the toolbar. */
  actions: ReactNode;
  /** `history` shows the look-up time column unless the user has hidden it. */
  variant?: "scanner" | "history";
  /** Replaces a failed row's error text with a box. */
  describeError?: (row: ResultRow) => ErrorBox | null;
  /** A row to jump to. Each new object triggers one jump, once the row is loaded. */
  jump?: JumpRequest | null;
  /** The cards' look-up history. */
  lookups?: SessionLookupHistory;
  /** The export formats for selected rows. */
  exportChoices?: SelectionExports;
};

const NO_EXPORTS: SelectionExports = [];

/** The shared results table: find, filter, sort, select and review, by mouse and keyboard. */
export function ResultsTable(props: ResultsTableProps) {
  const { label, rows: store, view, session, whenEmpty, actions } = props;
  const { variant = "scanner", describeError = null, jump = null, lookups = null, exportChoices = NO_EXPORTS } = props;
  const { filter, find, activeId, setActiveId } = view;
  const isRunning = session?.status === "processing";
  // Price columns come first unless the user has arranged the columns.
  const isPriced = session?.includePricing ?? false;
  const offerRule = session?.offerRule ?? null;
  const all = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const { preferences, isLoaded, change } = useTablePreferences();
  const { sort, density, highValue } = preferences;
  const isLook = filter === "needs_review";

  const reasonsOf = useReviewReasons(highValue, lookups);
  const { rows, counts, viewKey } = useShownRows({ all, filter, find, sort, offerRule, reasonsOf });
  const progress = useReviewProgress(all, reasonsOf, isLook);
  const { reveal, bringIntoView } = useRowJump({ jump, all, shown: rows, view });
  const isJumpedTo = jump !== null && store.has(jump.rowId);
  useRememberedFilter({ view, all, counts, isRunning, remembered: preferences.filter, isLoaded, isJumpedTo });
  useStepOn(rows, viewKey, activeId, setActiveId);

  const { idle, arrangement } = useArrangement(preferences, { isPriced, hasOffers: offerRule !== null, variant });
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const selection = useSelection(all, rows, activeId);
  const panel = useRef<HTMLElement>(null);
  const findRef = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const row = useRowTools({
    store,
    all,
    shown: rows,
    view,
    panel,
    session,
    reasonsOf,
    lookups,
    describeError,
    onSelect: selection.select,
    bringIntoView,
  });
  const onSort = (next: TableSort | null): void => change((current) => ({ ...current, sort: next }));
  usePageKeys(findRef, {
    "/": () => findRef.current?.focus(),
    "?": () => setShowsKeys(true),
    d: () => change((current) => ({ ...current, density: density === "compact" ? "comfortable" : "compact" })),
    u: () => row.reviewed.undo(),
  });
  const clearSelection = (): void => {
    selection.clear();
    focusGrid(panel.current);
  };
  const onEscape = (event: KeyboardEvent): void => {
    if (selection.rows.length > 0 && isFreeEscape(event)) clearSelection();
  };
  const totals = rows.length > 0 && (
    <TotalsBar all={all} shown={rows} isPriced={isPriced} offerRule={offerRule} onEditOffers={row.editOffers} />
  );
  return (
    <Panel ref={panel} tabIndex={-1} padding="flush" aria-label={label} className={styles.panel} onKeyDown={onEscape}>
      <TableToolbar
        findRef={findRef}
        find={find}
        onFind={view.setFind}
        filter={filter}
        counts={counts}
        onFilter={view.setFilter}
      >
        {isPhone ? (
          <SortMenu sort={sort} columnIds={shownOrder(arrangement)} onSort={onSort} />
        ) : (
          <ColumnsMenu
            preferences={preferences}
            idleColumns={idle}
            isPriced={isPriced}
            onChange={change}
            onShowKeys={() => setShowsKeys(true)}
          />
        )}
        {actions}
      </TableToolbar>
      {isLook && all.length > 0 && (
        <ReviewHead
          progress={progress}
          highValue={highValue}
          onHighValue={(dollars) => change((current) => ({ ...current, highValue: dollars }))}
        />
      )}
      {all.length === 0 && <div className={styles.empty}>{whenEmpty}</div>}
      {all.length > 0 && rows.length === 0 && <WithoutRows view={view} progress={progress} />}
      {isPhone && totals}
      {rows.length > 0 && isPhone && (
        <CardList
          label={label}
          rows={rows}
          editor={row.editor}
          selectedIds={selection.ids}
          reveal={reveal}
          onRetry={row.onRetry}
          onHistory={row.onHistory}
          tools={row.tools}
        />
      )}
      {rows.length > 0 && !isPhone && (
        <ResultsGrid
          label={label}
          rows={rows}
          leading={isLook ? LEADING_LOOK_COLUMNS : LEADING_COLUMNS}
          arrangement={arrangement}
          onResize={(id, width) => change((current) => resizeColumn(current, id, width))}
          density={density}
          sort={sort}
          onSort={onSort}
          selection={selection}
          viewKey={viewKey}
          activeId={activeId}
          onActivate={setActiveId}
          onRowKey={row.onRowKey}
          reveal={reveal}
          editor={row.editor}
          tools={row.tools}
        />
      )}
      {!isPhone && totals}
      {selection.rows.length > 0 && (
        <SelectionBar
          selection={selection}
          onClear={clearSelection}
          reasonsOf={reasonsOf}
          onReviewed={row.reviewed.mark}
          hasPrices={row.tools.prices.onGetPrice !== null}
          exportChoices={exportChoices}
        />
      )}
      {selection.rows.length === 0 && rows.length > 0 && !isPhone && (
        <ActiveRowBar
          describeError={describeError}
          row={rows.find(({ id }) => id === activeId) ?? null}
          isRunning={isRunning}
          onEdit={row.tools.onEdit}
          onRetry={row.onRetry}
          onHistory={row.onHistory}
          review={row.tools.review}
        />
      )}
      {row.overlays}
      <KeysDialog opened={showsKeys} onClose={() => setShowsKeys(false)} />
    </Panel>
  );
}

type TableContent = { isPriced: boolean; hasOffers: boolean; variant: "scanner" | "history" };

/** The user's columns for this table's content. `idle`: on-demand columns that are empty in it. */
function useArrangement(preferences: TablePreferences, { isPriced, hasOffers, variant }: TableContent) {
  return useMemo(() => {
    const idle = [...(hasOffers ? [] : [OFFER_COLUMN_ID]), ...(variant === "history" ? [] : [PROCESSED_COLUMN_ID])];
    return { idle, arrangement: withoutIdle(arrangedFor(preferences, isPriced), idle) };
  }, [preferences, isPriced, hasOffers, variant]);
}

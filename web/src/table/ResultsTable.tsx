import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Center } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useMemo, useRef } from "react";
import { Panel } from "../ui/Panel.tsx";
import { ActiveRowBar } from "./grid/ActiveRowBar.tsx";
import { CardList } from "./grid/CardList.tsx";
import { dropColumn, shownOrder, withoutIdle } from "./columns/column-arrangement.ts";
import { ColumnsMenu } from "./columns/ColumnsMenu.tsx";
import { OFFER_COLUMN_ID, PROCESSED_COLUMN_ID } from "./columns/columns.tsx";
import type { ErrorBox } from "../card/row-messages.ts";
import { KeysDialog } from "./grid/KeysDialog.tsx";
import { ReviewHead } from "./review/ReviewHead.tsx";
import { TotalsBar } from "./prices/TotalsBar.tsx";
import { ResultsGrid } from "./grid/ResultsGrid.tsx";
import styles from "./ResultsTable.module.css";
import type { RowsSnapshot, RowsStore } from "../run/rows-store.ts";
import { SelectionBar, type SelectionBarProps } from "./selection/SelectionBar.tsx";
import { useSelection } from "./selection/use-selection.ts";
import type { TableSort } from "./sort/row-sorter.ts";
import { SortMenu } from "./sort/SortMenu.tsx";
import { arrangedFor, type TablePreferences } from "./columns/table-preferences.ts";
import { TableToolbar } from "./view/TableToolbar.tsx";
import type { TakeFirstLine } from "./grid/use-scroll-anchor.ts";
import type { RowListProps } from "./grid/use-scroll-to-row.ts";
import { FindPattern, findPatternOf } from "../ui/text/Marked.tsx";
import type { TabName } from "../place/place.ts";
import { useJump } from "../place/place-store.ts";
import { useRowContext } from "./use-row-context.tsx";
import type { SessionLookupHistory } from "../run/use-session-lookup-history.ts";
import { useTablePreferences } from "./columns/use-table-preferences.ts";
import { hiddenMatchesOf, wordsOf } from "./view/row-filter.ts";
import { useAfterTable } from "./view/use-after-table.ts";
import { useTableKeys } from "./use-table-keys.ts";
import { useTableRows } from "./view/use-table-rows.ts";
import type { TableControl } from "./view/use-table-control.ts";
import { WithoutRows } from "./view/WithoutRows.tsx";

/** Below this width, the table becomes cards. */
const PHONE = "(max-width: 40em)";

type ResultsTableProps = {
  /** The accessible name of the rows. */
  label: string;
  rows: RowsStore;
  control: TableControl;
  /** The session of the rows; null while there is none. */
  session: ScanSession | null;
  /** The cards' look-up history. */
  lookups: SessionLookupHistory;
  /** Shown when there are no rows. */
  whenEmpty: ReactNode;
  /** Buttons at the right end of the toolbar. */
  actions: ReactNode;
  /** The Dashboard shows the look-up time column unless the user has hidden it. */
  tab: TabName;
  /** Replaces a failed row's error text with a box. */
  describeError?: (row: ResultRow) => ErrorBox | null;
  takeFirstLine?: TakeFirstLine;
};

/** The shared results table: find, filter, sort, select and review, by mouse and keyboard. */
export function ResultsTable(props: ResultsTableProps) {
  const { label, rows: store, control, session, lookups, whenEmpty, actions } = props;
  const { tab, describeError = null } = props;
  const settings = useTablePreferences();
  const { preferences, change } = settings;
  const { sort } = preferences;
  // Price columns come first unless the user has arranged the columns.
  const isPriced = session?.includePricing ?? false;
  const offerRule = session?.offerRule ?? null;
  const table = useTableRows({ store, control, session, lookups, settings, jump: useJump(tab) });
  const { all, rows, progress, reveal } = table;
  const { idle, arrangement } = useArrangement(preferences, { all, isPriced, offerRule, tab });
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const { columnIds, hiddenMatches, findPattern } = useFindMatches(rows, table.words, arrangement);
  const selection = useSelection(all, rows, control.activeId);
  const panel = useRef<HTMLElement>(null);
  const row = useRowContext({ tab, store, table, control, panel, session, lookups, describeError, selection });
  const { context, editor } = row;
  const keys = useTableKeys({ panel, selection, change, onUndo: row.reviewed.undo });
  const list = { label, rows, selection, reveal, editor, context };
  const onSort = (next: TableSort | null): void => change((current) => ({ ...current, sort: next }));
  const totals = rows.length > 0 && (
    <TotalsBar
      all={all}
      shown={rows}
      selected={selection.rows}
      isPriced={isPriced}
      offerRule={offerRule}
      onEditOffers={row.editOffers}
    />
  );
  return (
    <Panel
      ref={panel}
      tabIndex={-1}
      padding="flush"
      aria-label={label}
      className={styles.panel}
      onKeyDown={keys.onEscape}
    >
      <TableToolbar {...table} findRef={keys.findRef} control={control} hiddenMatches={hiddenMatches}>
        {isPhone ? (
          <SortMenu sort={sort} columnIds={columnIds} onSort={onSort} />
        ) : (
          <ColumnsMenu
            preferences={preferences}
            idleColumns={idle}
            isPriced={isPriced}
            onChange={change}
            onShowKeys={() => keys.setShowsKeys(true)}
          />
        )}
        {actions}
      </TableToolbar>
      {context.review.isOn && all.length > 0 && (
        <ReviewHead
          {...table}
          onReviewed={row.reviewed.mark}
          thresholds={preferences}
          onThresholds={(thresholds) => change((current) => ({ ...current, ...thresholds }))}
        />
      )}
      {rows.length === 0 && (
        <Center mih={260} flex={1}>
          {all.length === 0 ? whenEmpty : <WithoutRows control={control} progress={progress} />}
        </Center>
      )}
      {isPhone && totals}
      <FindPattern value={findPattern}>
        {rows.length > 0 && isPhone && <CardList {...list} />}
        {rows.length > 0 && !isPhone && (
          <ResultsGrid
            {...list}
            settings={settings}
            arrangement={arrangement}
            onSort={onSort}
            onDropColumn={(...drop) => change((current) => dropColumn(arrangedFor(current, isPriced), ...drop))}
            savedOffers={row.savedOffers}
            listKey={table.listKey}
            activeId={control.activeId}
            onActivate={control.setActiveId}
            onRowKey={row.onRowKey}
            takeFirstLine={props.takeFirstLine}
          />
        )}
      </FindPattern>
      {!isPhone && totals}
      <BottomBar
        {...list}
        {...table}
        activeId={control.activeId}
        hasActiveRow={!isPhone}
        onReviewed={row.reviewed.mark}
        onClear={keys.clearSelection}
      />
      {row.overlays}
      <KeysDialog {...settings} opened={keys.showsKeys} onClose={() => keys.setShowsKeys(false)} />
    </Panel>
  );
}

type BottomBarProps = Pick<RowListProps, "rows" | "selection" | "context"> &
  Pick<SelectionBarProps, "reasonsOf" | "onReviewed" | "onClear"> & { activeId: string | null; hasActiveRow: boolean };

/** Below the rows: the actions on the selected rows, or the active row. */
function BottomBar({ rows, selection, context, activeId, hasActiveRow, ...actions }: BottomBarProps) {
  if (selection.rows.length > 0)
    return <SelectionBar {...actions} selection={selection} hasPrices={context.prices.onGetPrice !== null} />;
  if (rows.length === 0 || !hasActiveRow) return null;
  return <ActiveRowBar row={rows.find(({ id }) => id === activeId) ?? null} context={context} />;
}

/** What Find marks, and what it matches where no column shows it. */
function useFindMatches(rows: RowsSnapshot, words: string, arrangement: TablePreferences) {
  const columnIds = useMemo(() => shownOrder(arrangement), [arrangement]);
  const findPattern = useMemo(() => findPatternOf(wordsOf(words)), [words]);
  // The hidden matches of 100,000 rows take longer than the rows themselves, so they follow the table.
  const settled = useAfterTable(useMemo(() => ({ rows, words }), [rows, words]));
  const hiddenMatches = useMemo(() => hiddenMatchesOf(settled.rows, settled.words, columnIds), [settled, columnIds]);
  return { columnIds, hiddenMatches, findPattern };
}

const hasOwnOffer = ({ ownOffer }: ResultRow): boolean => ownOffer !== null;

type TableContent = { all: RowsSnapshot; isPriced: boolean; offerRule: OfferRule | null; tab: TabName };

/** The user's columns for this table's content. `idle`: on-demand columns that are empty in it. */
function useArrangement(preferences: TablePreferences, { all, isPriced, offerRule, tab }: TableContent) {
  const hasOffers = useMemo(() => offerRule !== null || all.some(hasOwnOffer), [offerRule, all]);
  return useMemo(() => {
    const idle = [...(hasOffers ? [] : [OFFER_COLUMN_ID]), ...(tab === "dashboard" ? [] : [PROCESSED_COLUMN_ID])];
    return { idle, arrangement: withoutIdle(arrangedFor(preferences, isPriced), idle) };
  }, [preferences, isPriced, hasOffers, tab]);
}

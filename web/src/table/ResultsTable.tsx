import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Center } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { Panel } from "../ui/Panel.tsx";
import { ActiveRowBar } from "./grid/ActiveRowBar.tsx";
import { CardList } from "./grid/CardList.tsx";
import { shownOrder, withoutIdle } from "./columns/column-arrangement.ts";
import { ColumnsMenu } from "./columns/ColumnsMenu.tsx";
import { OFFER_COLUMN_ID, PROCESSED_COLUMN_ID } from "./columns/columns.tsx";
import type { ErrorBox } from "./row/row-messages.ts";
import { isFreeEscape } from "../ui/grid-keys.ts";
import { KeysDialog } from "./grid/KeysDialog.tsx";
import { ReviewHead } from "./review/ReviewHead.tsx";
import { TotalsBar } from "./prices/TotalsBar.tsx";
import { ResultsGrid } from "./grid/ResultsGrid.tsx";
import styles from "./ResultsTable.module.css";
import type { RowsStore } from "../run/rows-store.ts";
import { SelectionBar } from "./selection/SelectionBar.tsx";
import { useSelection } from "./selection/use-selection.ts";
import type { TableSort } from "./sort/row-sorter.ts";
import { SortMenu } from "./sort/SortMenu.tsx";
import { arrangedFor, type TablePreferences } from "./columns/table-preferences.ts";
import { TableToolbar } from "./view/TableToolbar.tsx";
import { usePageKeys } from "../ui/use-page-keys.ts";
import type { TakeFirstLine } from "./grid/use-scroll-anchor.ts";
import type { JumpRequest } from "./grid/use-row-jump.ts";
import { focusGrid } from "./use-row-repairs.tsx";
import { useRowContext } from "./use-row-context.tsx";
import type { SessionLookupHistory } from "../run/use-session-lookup-history.ts";
import { useTablePreferences } from "./columns/use-table-preferences.ts";
import { useTableRows } from "./view/use-table-rows.ts";
import type { TableControl } from "./view/use-table-control.ts";
import { WithoutRows } from "./view/WithoutRows.tsx";

/** Below this width, the table becomes cards. */
const PHONE = "(max-width: 40em)";

type Variant = "scanner" | "history";

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
  /** `history` shows the look-up time column unless the user has hidden it. */
  variant?: Variant;
  /** Replaces a failed row's error text with a box. */
  describeError?: (row: ResultRow) => ErrorBox | null;
  takeFirstLine?: TakeFirstLine;
  /** A row to jump to. Each new object triggers one jump, once the row is loaded. */
  jump?: JumpRequest | null;
};

/** The shared results table: find, filter, sort, select and review, by mouse and keyboard. */
export function ResultsTable(props: ResultsTableProps) {
  const { label, rows: store, control, session, lookups, whenEmpty, actions } = props;
  const { variant = "scanner", describeError = null, jump = null } = props;
  const settings = useTablePreferences();
  const { preferences, change } = settings;
  const { sort, highValue } = preferences;
  const isCompact = preferences.density === "compact";
  // Price columns come first unless the user has arranged the columns.
  const isPriced = session?.includePricing ?? false;
  const offerRule = session?.offerRule ?? null;
  const table = useTableRows({ store, control, session, lookups, settings, jump });
  const { all, rows, progress, reveal } = table;
  const { idle, arrangement } = useArrangement(preferences, { isPriced, hasOffers: offerRule !== null, variant });
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const selection = useSelection(all, rows, control.activeId);
  const panel = useRef<HTMLElement>(null);
  const row = useRowContext({ store, table, control, panel, session, lookups, describeError, selection });
  const { context, editor } = row;
  const findRef = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  usePageKeys(findRef, {
    "/": () => findRef.current?.focus(),
    "?": () => setShowsKeys(true),
    d: () => change((current) => ({ ...current, density: isCompact ? "comfortable" : "compact" })),
    u: () => row.reviewed.undo(),
  });
  const clearSelection = (): void => {
    selection.clear();
    focusGrid(panel.current);
  };
  const onEscape = (event: KeyboardEvent): void => {
    if (selection.rows.length > 0 && isFreeEscape(event)) clearSelection();
  };

  const list = { label, rows, selection, reveal, editor, context };
  const onSort = (next: TableSort | null): void => change((current) => ({ ...current, sort: next }));
  const totals = rows.length > 0 && (
    <TotalsBar all={all} shown={rows} isPriced={isPriced} offerRule={offerRule} onEditOffers={row.editOffers} />
  );
  return (
    <Panel ref={panel} tabIndex={-1} padding="flush" aria-label={label} className={styles.panel} onKeyDown={onEscape}>
      <TableToolbar findRef={findRef} control={control} counts={table.counts}>
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
      {context.review.isOn && all.length > 0 && (
        <ReviewHead
          progress={progress}
          highValue={highValue}
          onHighValue={(dollars) => change((current) => ({ ...current, highValue: dollars }))}
        />
      )}
      {rows.length === 0 && (
        <Center mih={260} flex={1}>
          {all.length === 0 ? whenEmpty : <WithoutRows control={control} progress={progress} />}
        </Center>
      )}
      {isPhone && totals}
      {rows.length > 0 && isPhone && <CardList {...list} />}
      {rows.length > 0 && !isPhone && (
        <ResultsGrid
          {...list}
          settings={settings}
          arrangement={arrangement}
          onSort={onSort}
          listKey={table.listKey}
          activeId={control.activeId}
          onActivate={control.setActiveId}
          onRowKey={row.onRowKey}
          takeFirstLine={props.takeFirstLine}
        />
      )}
      {!isPhone && totals}
      {selection.rows.length > 0 && (
        <SelectionBar
          selection={selection}
          onClear={clearSelection}
          reasonsOf={table.reasonsOf}
          onReviewed={row.reviewed.mark}
          hasPrices={context.prices.onGetPrice !== null}
        />
      )}
      {selection.rows.length === 0 && rows.length > 0 && !isPhone && (
        <ActiveRowBar row={rows.find(({ id }) => id === control.activeId) ?? null} context={context} />
      )}
      {row.overlays}
      <KeysDialog
        opened={showsKeys}
        onClose={() => setShowsKeys(false)}
        hasSingleKeys={preferences.hasSingleKeys}
        onSingleKeys={(hasSingleKeys) => change((current) => ({ ...current, hasSingleKeys }))}
      />
    </Panel>
  );
}

type TableContent = { isPriced: boolean; hasOffers: boolean; variant: Variant };

/** The user's columns for this table's content. `idle`: on-demand columns that are empty in it. */
function useArrangement(preferences: TablePreferences, { isPriced, hasOffers, variant }: TableContent) {
  return useMemo(() => {
    const idle = [...(hasOffers ? [] : [OFFER_COLUMN_ID]), ...(variant === "history" ? [] : [PROCESSED_COLUMN_ID])];
    return { idle, arrangement: withoutIdle(arrangedFor(preferences, isPriced), idle) };
  }, [preferences, isPriced, hasOffers, variant]);
}

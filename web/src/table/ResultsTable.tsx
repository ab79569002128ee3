import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { ActionIcon, Button, Center, Group, NativeSelect } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCircleCheck, IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import type { ErrorBox } from "../card/row-messages.ts";
import { useCommands } from "../place/commands.ts";
import { useJump } from "../place/place-store.ts";
import type { TabName } from "../place/place.ts";
import type { RowsSnapshot, RowsStore } from "../run/rows-store.ts";
import type { SessionLookupHistory } from "../run/use-session-lookup-history.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { formatCount } from "../ui/format-numbers.ts";
import { isFreeEscape } from "../ui/keys/grid-keys.ts";
import { Panel } from "../ui/Panel.tsx";
import { FindPattern, findPatternOf } from "../ui/text/Marked.tsx";
import { usePageKeys } from "../ui/use-page-keys.ts";
import { dropColumn, shownOrder, withoutIdle } from "./columns/column-arrangement.ts";
import { headerOf, OFFER_COLUMN_ID, PROCESSED_COLUMN_ID } from "./columns/columns.tsx";
import { ColumnsMenu } from "./columns/ColumnsMenu.tsx";
import { arrangedFor, type ChangePreferences, type TablePreferences } from "./columns/table-preferences.ts";
import { useTablePreferences } from "./columns/use-table-preferences.ts";
import { ActiveRowBar } from "./row/ActiveRowBar.tsx";
import { CardList } from "./grid/CardList.tsx";
import { KeysDialog } from "./grid/KeysDialog.tsx";
import { ResultsGrid } from "./grid/ResultsGrid.tsx";
import type { TakeFirstLine } from "./grid/use-scroll-anchor.ts";
import { TotalsBar } from "./prices/TotalsBar.tsx";
import { ReviewHead } from "./review/ReviewHead.tsx";
import type { ReviewProgress } from "./review/use-review-reasons.ts";
import { SelectionBar } from "./selection/SelectionBar.tsx";
import { type RowSelection, useSelection } from "./selection/use-selection.ts";
import type { TableSort } from "./columns/row-sorter.ts";
import { useRowContext } from "./use-row-context.tsx";
import { focusGrid } from "./use-row-repairs.tsx";
import { hiddenMatchesOf, wordsOf } from "./filter/row-filter.ts";
import { TableToolbar } from "./filter/TableToolbar.tsx";
import type { TableControl } from "./filter/use-table-control.ts";
import { useAfterTable } from "./row/use-rested.ts";
import { useTableRows } from "./use-table-rows.ts";

/** Below this width, the table becomes cards. */
const PHONE = "(max-width: 40em)";

type ResultsTableProps = {
  label: string;
  rows: RowsStore;
  control: TableControl;
  session: ScanSession | null;
  lookups: SessionLookupHistory;
  whenEmpty: ReactNode;
  /** Buttons at the right end of the toolbar. */
  actions: ReactNode;
  /** The Dashboard shows the lookup time column unless the user has hidden it. */
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
  const isPriced = session?.includePricing ?? false;
  const offerRule = session?.offerRule ?? null;
  const table = useTableRows({ store, control, session, lookups, settings, jump: useJump(tab) });
  const { all, rows, progress, reveal } = table;
  const hasOffers = useMemo(() => offerRule !== null || all.some((row) => row.ownOffer !== null), [offerRule, all]);
  const arrangement = useArrangement(preferences, isPriced, hasOffers, tab);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const { columnIds, hiddenMatches, findPattern } = useFindMatches(rows, control.find, arrangement);
  const activeIndex = useActiveIndex(rows, control.activeId);
  const selection = useSelection(all, rows, control.activeId);
  const panel = useRef<HTMLElement>(null);
  const row = useRowContext({ tab, store, table, control, panel, session, lookups, describeError, selection });
  const { context, editor } = row;
  const keys = useTableKeys(panel, selection, change, row.reviewed.undo);
  const list = { label, rows, selection, reveal, editor, context };
  const onSort = (next: TableSort | null): void => change((current) => ({ ...current, sort: next }));
  const totals = rows.length > 0 && (
    <TotalsBar
      all={all}
      shown={rows}
      selected={selection.rows}
      isPriced={isPriced}
      offerRule={offerRule}
      onEditOffers={row.offers.edit}
    />
  );
  return (
    <Panel
      ref={panel}
      tabIndex={-1}
      aria-label={label}
      display="flex"
      mih={0}
      style={{ flexDirection: "column" }}
      onKeyDown={keys.onEscape}
    >
      <TableToolbar {...table} findRef={keys.findRef} control={control} hiddenMatches={hiddenMatches}>
        {isPhone ? (
          <SortMenu sort={sort} columnIds={columnIds} onSort={onSort} />
        ) : (
          <ColumnsMenu
            preferences={preferences}
            arrangement={arrangement}
            isPriced={isPriced}
            onChange={change}
            onShowKeys={() => keys.setShowsKeys(true)}
          />
        )}
        {actions}
      </TableToolbar>
      {context.isReview && all.length > 0 && (
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
            savedOffers={row.offers.saved}
            listKey={table.listKey}
            control={control}
            activeIndex={activeIndex}
            onRowKey={row.onRowKey}
            takeFirstLine={props.takeFirstLine}
          />
        )}
      </FindPattern>
      {!isPhone && totals}
      {selection.rows.length > 0 && (
        <SelectionBar selection={selection} context={context} reviewed={row.reviewed} onClear={keys.clearSelection} />
      )}
      {selection.rows.length === 0 && rows.length > 0 && !isPhone && (
        <ActiveRowBar row={rows[activeIndex] ?? null} context={context} />
      )}
      {row.overlays}
      <KeysDialog {...settings} opened={keys.showsKeys} onClose={() => keys.setShowsKeys(false)} />
    </Panel>
  );
}

type SortMenuProps = {
  sort: TableSort | null;
  columnIds: readonly string[];
  onSort: (sort: TableSort | null) => void;
};

const SHEET_ORDER = "";

/** Sorts the cards on a phone, where there are no headers. */
function SortMenu({ sort, columnIds, onSort }: SortMenuProps) {
  const direction = sort?.direction ?? "ascending";
  const Icon = direction === "ascending" ? IconSortAscending : IconSortDescending;
  return (
    <Group gap={6} w="100%" wrap="nowrap">
      <NativeSelect
        size="xs"
        flex={1}
        styles={{ input: { minHeight: 44 } }}
        aria-label="Sort by"
        value={sort?.columnId ?? SHEET_ORDER}
        data={[
          { value: SHEET_ORDER, label: "Sort: order of the sheet" },
          ...columnIds.map((id) => ({ value: id, label: `Sort: ${headerOf(id)}` })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onSort(value === SHEET_ORDER ? null : { columnId: value, direction: "ascending" })
        }
      />
      {sort !== null && (
        <ActionIcon
          size={44}
          aria-label={direction === "ascending" ? "Sort descending" : "Sort ascending"}
          onClick={() => onSort({ ...sort, direction: direction === "ascending" ? "descending" : "ascending" })}
        >
          <Icon size={18} aria-hidden="true" />
        </ActionIcon>
      )}
    </Group>
  );
}

/** Shown when the filter and the find text match no rows. */
function WithoutRows({ control, progress }: { control: TableControl; progress: ReviewProgress }) {
  const isDone = control.filter === "needs_review" && progress.left === 0;
  const showAll = (): void => {
    control.setFilter("all");
    control.setFind("");
  };
  return (
    <EmptyState
      icon={isDone ? <IconCircleCheck size={40} stroke={1.5} color="var(--sd-good)" /> : undefined}
      title={isDone ? "Nothing to review" : "No matching rows"}
      action={
        <Button size="xs" onClick={showAll}>
          Show all rows
        </Button>
      }
    >
      {isDone ? workedMessage(progress.worked) : "Change the filter or the text in the find box."}
    </EmptyState>
  );
}

function workedMessage(worked: number): string {
  if (worked === 0) return "This session has no mismatches, failures or doubts.";
  return worked === 1 ? "The one row that did is reviewed." : `All ${formatCount(worked)} rows that did are reviewed.`;
}

/** The keys of a table that don't belong to one row: find, help, density, undo, and Escape for the selection. */
function useTableKeys(
  panel: RefObject<HTMLElement | null>,
  selection: RowSelection,
  change: ChangePreferences,
  onUndo: () => void,
) {
  const findRef = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  usePageKeys(findRef, {
    "/": () => findRef.current?.focus(),
    "?": () => setShowsKeys(true),
    d: () => change((now) => ({ ...now, density: now.density === "compact" ? "comfortable" : "compact" })),
    u: onUndo,
  });
  // Also there while the single-key shortcuts are off.
  useCommands(() =>
    panel.current?.checkVisibility() === true ? [{ label: "Keyboard shortcuts", run: () => setShowsKeys(true) }] : [],
  );
  const clearSelection = (): void => {
    selection.clear();
    focusGrid(panel.current);
  };
  const onEscape = (event: KeyboardEvent): void => {
    if (selection.rows.length > 0 && isFreeEscape(event)) clearSelection();
  };
  return { findRef, showsKeys, setShowsKeys, clearSelection, onEscape };
}

function useActiveIndex(rows: RowsSnapshot, activeId: string | null): number {
  return useMemo(() => (activeId === null ? -1 : rows.findIndex(({ id }) => id === activeId)), [rows, activeId]);
}

/** What Find marks, and what it matches where no column shows it. */
function useFindMatches(rows: RowsSnapshot, find: string, arrangement: TablePreferences) {
  const columnIds = useMemo(() => shownOrder(arrangement), [arrangement]);
  const findPattern = useMemo(() => findPatternOf(wordsOf(find)), [find]);
  // The hidden matches of 100,000 rows take longer than the rows themselves, so they follow the table.
  const settled = useAfterTable(useMemo(() => ({ rows, find }), [rows, find]));
  const hiddenMatches = useMemo(() => hiddenMatchesOf(settled.rows, settled.find, columnIds), [settled, columnIds]);
  return { columnIds, hiddenMatches, findPattern };
}

/** The user's columns, without on-demand columns that are empty in this table. */
function useArrangement(preferences: TablePreferences, isPriced: boolean, hasOffers: boolean, tab: TabName) {
  return useMemo(() => {
    const idle = [...(hasOffers ? [] : [OFFER_COLUMN_ID]), ...(tab === "dashboard" ? [] : [PROCESSED_COLUMN_ID])];
    return withoutIdle(arrangedFor(preferences, isPriced), idle);
  }, [preferences, isPriced, hasOffers, tab]);
}

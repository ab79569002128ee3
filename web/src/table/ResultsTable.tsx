import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useDeferredValue, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { toast } from "../ui/toast.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Panel } from "../ui/Panel.tsx";
import { ActiveRowBar } from "./ActiveRowBar.tsx";
import { Button } from "@mantine/core";
import { CardList } from "./CardList.tsx";
import { ColumnsMenu } from "./ColumnsMenu.tsx";
import { ImageDialog } from "./ImageDialog.tsx";
import { withoutIdle } from "./column-arrangement.ts";
import { ON_DEMAND_COLUMN_IDS } from "./columns.tsx";
import { KeysDialog } from "./KeysDialog.tsx";
import type { TableOffers } from "./prices/OfferDialog.tsx";
import { TotalsBar } from "./prices/TotalsBar.tsx";
import { useTablePrices } from "./prices/use-table-prices.tsx";
import { countByFilter, filterRows } from "./row-filter.ts";
import { ResultsGrid } from "./ResultsGrid.tsx";
import styles from "./ResultsTable.module.css";
import { canEdit, canRetry, isFound } from "./row-words.ts";
import type { RowsStore } from "./rows-store.ts";
import { TableToolbar } from "./TableToolbar.tsx";
import { useColumnLayout } from "./use-column-layout.ts";
import { useImageDialog } from "./use-image-dialog.ts";
import { usePageKeys } from "./use-page-keys.ts";
import { useRowRepairs } from "./use-row-repairs.tsx";
import { useSwap } from "./use-swap.ts";
import type { TableView } from "./use-table-view.ts";
import { arrangedFor, useTablePreferences } from "./table-preferences.ts";

/** Below this the table becomes cards. */
const PHONE = "(max-width: 40em)";

type ResultsTableProps = {
  /** What the rows are, for a screen reader. */
  label: string;
  rows: RowsStore;
  view: TableView;
  /** Whether open rows are still to be looked up. */
  isRunning: boolean;
  /** What stands in place of the rows while there are none. */
  whenEmpty: ReactNode;
  /** Buttons at the right end of the toolbar. */
  actions: ReactNode;
  /** Rows were sent to be looked up again, or asked for a price. Without it failed rows are only looked at. */
  onRowsSent?: () => void;
  /** Prices were asked for: their columns stand in front, unless the user has arranged them otherwise. */
  isPriced?: boolean;
  /** What is offered for the cards; without it there are no offers. */
  offers?: TableOffers | undefined;
};

const NONE: readonly string[] = [];

/** The one results table: find, filter, hide columns, look at the images, by mouse and by keyboard. */
export function ResultsTable({
  label,
  rows: store,
  view,
  isRunning,
  whenEmpty,
  actions,
  onRowsSent,
  isPriced = false,
  offers,
}: ResultsTableProps) {
  const { filter, find, activeId, setActiveId } = view;
  const all = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const deferredFind = useDeferredValue(find);
  const counts = useMemo(() => countByFilter(all), [all]);
  const rows = useMemo(() => filterRows(all, filter, deferredFind), [all, filter, deferredFind]);

  const [preferences, changePreferences] = useTablePreferences();
  const idleColumns = offers?.rule ? NONE : ON_DEMAND_COLUMN_IDS;
  const arrangement = useMemo(
    () => withoutIdle(arrangedFor(preferences, isPriced), idleColumns),
    [preferences, isPriced, idleColumns],
  );
  const { columns, totalWidth } = useColumnLayout(arrangement, changePreferences);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const images = useImageDialog(rows, setActiveId);
  const [showsKeys, setShowsKeys] = useState(false);
  const findRef = useRef<HTMLInputElement>(null);
  const { swap, swappingId } = useSwap(store);
  const panel = useRef<HTMLElement>(null);
  const prices = useTablePrices({
    store,
    all,
    shown: rows,
    offers,
    onActivate: setActiveId,
    onAsked: onRowsSent,
    panel,
  });
  const { onEdit, onRetry, editor } = useRowRepairs(view, rows, onRowsSent, panel);
  const toggleDensity = (): void =>
    changePreferences((current) => ({
      ...current,
      density: current.density === "compact" ? "comfortable" : "compact",
    }));

  usePageKeys(findRef, { "/": () => findRef.current?.focus(), "?": () => setShowsKeys(true), d: toggleDensity });
  const onRowKey = (key: string, row: ResultRow): boolean => {
    if (key === "Enter" || key === " ") images.open(row);
    else if ((key === "p" || key === "P") && isFound(row)) prices.tools.onOpenPrices(row);
    else if (key === "c" || key === "C") void copyCert(row.certNumber);
    else if ((key === "r" || key === "R") && onRetry && canRetry(row)) onRetry(row);
    else if ((key === "e" || key === "E") && onEdit && canEdit(row)) onEdit(row);
    else return false;
    return true;
  };
  const totals = (
    <TotalsBar
      all={all}
      shown={rows}
      isPriced={isPriced}
      offerRule={prices.tools.offerRule}
      onEditOffers={prices.editOffers}
    />
  );
  return (
    <Panel ref={panel} tabIndex={-1} padding="flush" aria-label={label} className={styles.panel}>
      <TableToolbar
        findRef={findRef}
        find={find}
        onFind={view.setFind}
        filter={filter}
        counts={counts}
        onFilter={view.setFilter}
      >
        {!isPhone && (
          <ColumnsMenu
            preferences={preferences}
            idleColumns={idleColumns}
            isPriced={isPriced}
            onChange={changePreferences}
            onShowKeys={() => setShowsKeys(true)}
          />
        )}
        {actions}
      </TableToolbar>
      {all.length === 0 && <div className={styles.empty}>{whenEmpty}</div>}
      {all.length > 0 && rows.length === 0 && <NoMatch view={view} />}
      {rows.length > 0 && isPhone && totals}
      {rows.length > 0 && isPhone && (
        <CardList
          label={label}
          rows={rows}
          isRunning={isRunning}
          onOpenImages={images.open}
          onEdit={onEdit}
          onRetry={onRetry}
          prices={prices.tools}
          editor={editor}
        />
      )}
      {rows.length > 0 && !isPhone && (
        <>
          <ResultsGrid
            label={label}
            rows={rows}
            columns={columns}
            totalWidth={totalWidth}
            density={preferences.density}
            viewKey={`${filter} ${deferredFind}`}
            activeId={activeId}
            onActivate={setActiveId}
            onRowKey={onRowKey}
            isRunning={isRunning}
            onOpenImages={images.open}
            onSwap={swap}
            onEdit={onEdit}
            prices={prices.tools}
            editor={editor}
          />
          {totals}
          <ActiveRowBar
            row={rows.find((row) => row.id === activeId) ?? null}
            isRunning={isRunning}
            onEdit={onEdit}
            onRetry={onRetry}
          />
        </>
      )}
      <ImageDialog
        row={images.row}
        isSwapping={swappingId !== null && swappingId === images.openId}
        onClose={images.close}
        onSwap={swap}
        onPrevious={images.onPrevious}
        onNext={images.onNext}
      />
      {prices.overlays}
      <KeysDialog opened={showsKeys} onClose={() => setShowsKeys(false)} />
    </Panel>
  );
}

function NoMatch({ view }: { view: TableView }) {
  return (
    <div className={styles.empty}>
      <EmptyState
        title="No rows match"
        action={
          <Button
            size="xs"
            onClick={() => {
              view.setFilter("all");
              view.setFind("");
            }}
          >
            Show all rows
          </Button>
        }
      >
        Change the filter or the words in the find box.
      </EmptyState>
    </div>
  );
}

/** Copies a number; browsers allow it only on https and on this machine, so a refusal is told. */
async function copyCert(certNumber: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(certNumber);
    toast.done({ id: "copied-cert", message: `Copied ${certNumber}` });
  } catch {
    toast.error({ id: "copied-cert", message: `The browser does not allow copying here. The number is ${certNumber}` });
  }
}

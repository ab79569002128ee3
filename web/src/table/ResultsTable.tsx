import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { toast } from "../ui/toast.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Panel } from "../ui/Panel.tsx";
import { ActiveRowBar } from "./ActiveRowBar.tsx";
import { Button } from "@mantine/core";
import { CardList } from "./CardList.tsx";
import { ColumnsMenu } from "./ColumnsMenu.tsx";
import { ImageDialog } from "./ImageDialog.tsx";
import { KeysDialog } from "./KeysDialog.tsx";
import { countByFilter, filterRows } from "./row-filter.ts";
import { ResultsGrid } from "./ResultsGrid.tsx";
import styles from "./ResultsTable.module.css";
import { canEdit, canRetry } from "./row-words.ts";
import type { RowsStore } from "./rows-store.ts";
import { TableToolbar } from "./TableToolbar.tsx";
import { useColumnLayout } from "./use-column-layout.ts";
import { usePageKeys } from "./use-page-keys.ts";
import { useRowRepairs } from "./use-row-repairs.tsx";
import { useSwap } from "./use-swap.ts";
import type { TableView } from "./use-table-view.ts";
import { useTablePreferences } from "./table-preferences.ts";

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
  /** Rows were sent to be looked up again. Without it failed rows are only looked at. */
  onRowsSent?: () => void;
};

/** The one results table: find, filter, hide columns, look at the images, by mouse and by keyboard. */
export function ResultsTable({
  label,
  rows: store,
  view,
  isRunning,
  whenEmpty,
  actions,
  onRowsSent,
}: ResultsTableProps) {
  const { filter, find, activeId, setActiveId } = view;
  const all = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const deferredFind = useDeferredValue(find);
  const counts = useMemo(() => countByFilter(all), [all]);
  const rows = useMemo(() => filterRows(all, filter, deferredFind), [all, filter, deferredFind]);

  const [preferences, changePreferences] = useTablePreferences();
  const { columns, totalWidth } = useColumnLayout(preferences, changePreferences);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const [openId, setOpenId] = useState<string | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const findRef = useRef<HTMLInputElement>(null);
  const { swap, swappingId } = useSwap(store);
  const openImages = useCallback((row: ResultRow) => setOpenId(row.id), []);
  const panel = useRef<HTMLElement>(null);
  const { onEdit, onRetry, editor } = useRowRepairs(view, rows, onRowsSent, panel);
  const toggleDensity = (): void =>
    changePreferences((current) => ({
      ...current,
      density: current.density === "compact" ? "comfortable" : "compact",
    }));

  usePageKeys(findRef, { "/": () => findRef.current?.focus(), "?": () => setShowsKeys(true), d: toggleDensity });
  const onRowKey = (key: string, row: ResultRow): boolean => {
    if (key === "Enter" || key === " ") setOpenId(row.id);
    else if (key === "c" || key === "C") void copyCert(row.certNumber);
    else if ((key === "r" || key === "R") && onRetry && canRetry(row)) onRetry(row);
    else if ((key === "e" || key === "E") && onEdit && canEdit(row)) onEdit(row);
    else return false;
    return true;
  };
  const openIndex = openId === null ? -1 : rows.findIndex((row) => row.id === openId);
  const goTo = (index: number): (() => void) | undefined => {
    const row = openIndex < 0 ? undefined : rows[index];
    return (
      row &&
      (() => {
        setOpenId(row.id);
        setActiveId(row.id);
      })
    );
  };

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
          <ColumnsMenu preferences={preferences} onChange={changePreferences} onShowKeys={() => setShowsKeys(true)} />
        )}
        {actions}
      </TableToolbar>
      {all.length === 0 && <div className={styles.empty}>{whenEmpty}</div>}
      {all.length > 0 && rows.length === 0 && (
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
      )}
      {rows.length > 0 && isPhone && (
        <CardList
          label={label}
          rows={rows}
          isRunning={isRunning}
          onOpenImages={openImages}
          onEdit={onEdit}
          onRetry={onRetry}
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
            onOpenImages={openImages}
            onSwap={swap}
            onEdit={onEdit}
            editor={editor}
          />
          <ActiveRowBar
            row={rows.find((row) => row.id === activeId) ?? null}
            isRunning={isRunning}
            onEdit={onEdit}
            onRetry={onRetry}
          />
        </>
      )}
      <ImageDialog
        row={rows[openIndex] ?? null}
        isSwapping={swappingId !== null && swappingId === openId}
        onClose={() => setOpenId(null)}
        onSwap={swap}
        onPrevious={goTo(openIndex - 1)}
        onNext={goTo(openIndex + 1)}
      />
      <KeysDialog opened={showsKeys} onClose={() => setShowsKeys(false)} />
    </Panel>
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

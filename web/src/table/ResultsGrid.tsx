import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type ReactNode,
  type UIEvent,
  useCallback,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { columnWindow, keepRoom, useGridView } from "./column-window.ts";
import type { CellContext } from "./columns.tsx";
import { GridHead } from "./GridHead.tsx";
import { GridRow } from "./GridRow.tsx";
import styles from "./ResultsGrid.module.css";
import type { RowsSnapshot } from "./rows-store.ts";
import type { Density } from "./table-preferences.ts";
import type { ColumnLayout } from "./use-column-layout.ts";
import { useScrollAnchor } from "./use-scroll-anchor.ts";

const ROW_HEIGHT: Record<Density, number> = { comfortable: 56, compact: 36 };
const HEADER_HEIGHT = 36;
/** Keeps the row that the arrows reach clear of the header and of a horizontal scroll bar. */
const SCROLL_PADDING_END = HEADER_HEIGHT + 16;

/** The form that edits a row's number; drawn in that row, which is scrolled into view for it. */
export type RowEditor = { rowId: string; form: ReactNode };

type ResultsGridProps = {
  label: string;
  rows: RowsSnapshot;
  columns: ColumnLayout[];
  totalWidth: number;
  density: Density;
  /** Changes when the user asks for other rows; rows that arrive leave it as it is. */
  viewKey: string;
  activeId: string | null;
  onActivate: (id: string) => void;
  onRowKey: (key: string, row: ResultRow) => boolean;
  editor: RowEditor | null;
} & Omit<CellContext, "tabIndex">;

/**
 * The rows as an ARIA grid of which only what is in view is in the document. The focus stays on the grid and names
 * the active row, so no arriving or leaving row can take it away; the active row is always kept in the document.
 */
export function ResultsGrid({
  label,
  rows,
  columns: arranged,
  totalWidth,
  density,
  viewKey,
  activeId,
  onActivate,
  onRowKey,
  editor,
  ...context
}: ResultsGridProps) {
  const scroller = useRef<HTMLTableElement>(null);
  const idPrefix = useId();
  const activeIndex = activeId === null ? -1 : rows.findIndex((row) => row.id === activeId);
  const rowHeight = ROW_HEIGHT[density];
  const view = useGridView(scroller);
  const columns = useMemo(() => keepRoom(arranged, view.room), [arranged, view.room]);
  const drawn = useMemo(() => columnWindow(columns, view), [columns, view]);

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    scrollPaddingEnd: SCROLL_PADDING_END,
    useFlushSync: false,
    rangeExtractor: useCallback((range: Range) => withActive(defaultRangeExtractor(range), activeIndex), [activeIndex]),
  });
  useScrollAnchor(scroller, rows, viewKey, rowHeight);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const editedId = editor?.rowId ?? null;
  const showEdited = useEffectEvent(() => {
    const index = rows.findIndex((row) => row.id === editedId);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  });
  useLayoutEffect(() => {
    if (editedId !== null) showEdited();
  }, [editedId]);

  const moveTo = (index: number): void => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[target];
    if (!row) return;
    onActivate(row.id);
    virtualizer.scrollToIndex(target, { align: "auto" });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const target = rowKeyTarget(
      event,
      activeIndex,
      rows.length,
      Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1,
    );
    if (target !== null) {
      event.preventDefault();
      moveTo(target);
      return;
    }
    const row = rows[activeIndex];
    const isOnControl = event.target !== event.currentTarget && (event.key === "Enter" || event.key === " ");
    if (row && !isOnControl && !hasModifier(event) && onRowKey(event.key, row)) event.preventDefault();
  };

  return (
    <table
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={activeIndex >= 0 ? `${idPrefix}-${activeId}` : undefined}
      tabIndex={0}
      data-density={density}
      data-resizing={columns.some((column) => column.resizing?.isUnderWay) || undefined}
      style={{ scrollPaddingInlineStart: drawn.pinned.reduce((sum, column) => sum + column.width, 0) }}
      onKeyDown={onKeyDown}
      onScroll={markScrolled}
      onFocus={(event) => {
        if (event.target === event.currentTarget && activeIndex < 0)
          onActivate(firstShown(virtualizer.range?.startIndex, rows));
      }}
    >
      <GridHead columns={columns} totalWidth={totalWidth} />
      <tbody className={styles.body} style={{ height: virtualizer.getTotalSize(), minWidth: totalWidth }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <GridRow
              key={row.id}
              id={`${idPrefix}-${row.id}`}
              row={row}
              index={item.index}
              top={item.start}
              columns={drawn}
              isActive={row.id === activeId}
              onActivate={onActivate}
              editor={editor?.rowId === row.id ? editor.form : null}
              {...context}
            />
          );
        })}
      </tbody>
    </table>
  );
}

/** The pinned columns throw a shadow while something lies under them; kept out of React, as it follows the scroll. */
function markScrolled({ currentTarget }: UIEvent<HTMLTableElement>): void {
  currentTarget.toggleAttribute("data-scrolled", currentTarget.scrollLeft > 0);
}

function withActive(indexes: number[], activeIndex: number): number[] {
  if (activeIndex < 0 || indexes.includes(activeIndex)) return indexes;
  return [...indexes, activeIndex].sort((a, b) => a - b);
}

function firstShown(startIndex: number | undefined, rows: RowsSnapshot): string {
  return rows[startIndex ?? 0]?.id ?? "";
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** Where a key leads, as an index that may lie outside the rows; null when the key does not move. */
function rowKeyTarget(event: KeyboardEvent, activeIndex: number, count: number, page: number): number | null {
  if (hasModifier(event)) return null;
  switch (event.key) {
    case "ArrowDown":
      return activeIndex + 1;
    case "ArrowUp":
      return activeIndex - 1;
    case "PageDown":
      return activeIndex + page;
    case "PageUp":
      return activeIndex - page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

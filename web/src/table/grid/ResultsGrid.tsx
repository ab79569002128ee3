import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useRef } from "react";
import { hasModifier, isSelectAll, targetOfKey } from "../../ui/keys/grid-keys.ts";
import { useVirtualRows } from "../../ui/use-virtual-rows.ts";
import type { ColumnArrangement } from "../columns/column-arrangement.ts";
import { type ColumnLayout, totalWidthOf, useColumnLayout } from "../columns/column-layout.ts";
import { OFFER_COLUMN_ID } from "../columns/columns.tsx";
import type { TableSettings } from "../columns/use-table-preferences.ts";
import type { TableSort } from "../sort/row-sorter.ts";
import type { TableControl } from "../view/use-table-control.ts";
import { GridHead } from "./GridHead.tsx";
import { GridRow, useCellCursor } from "./GridRow.tsx";
import styles from "./ResultsGrid.module.css";
import { type RowListProps, rowIn, type TakeFirstLine, useScrollAnchor, useScrollToRow } from "./use-scroll-anchor.ts";

const ROW_HEIGHT = { comfortable: 56, compact: 36 };
const HEADER_HEIGHT = 36;
/** Keeps the active row clear of the header and of a horizontal scroll bar. */
const SCROLL_PADDING_END = HEADER_HEIGHT + 16;

type ResultsGridProps = RowListProps & {
  settings: TableSettings;
  arrangement: ColumnArrangement;
  onSort: (sort: TableSort | null) => void;
  onDropColumn: (id: string, at: string, side: -1 | 1) => void;
  /** The offer rule that the user has just saved: its column is scrolled into view. */
  savedOffers: OfferRule | null;
  /** Changes when the user asks for other rows; doesn't change when rows arrive. */
  listKey: string;
  control: TableControl;
  onRowKey: (key: string, row: ResultRow) => boolean;
  takeFirstLine: TakeFirstLine;
};

/** A virtualized ARIA grid. It keeps the focus and names the active row, so that changing rows can't take the focus. */
export function ResultsGrid(props: ResultsGridProps) {
  const { label, rows, selection, context } = props;
  const { settings, arrangement, onSort, listKey, onRowKey } = props;
  const { activeId, setActiveId: onActivate } = props.control;
  const { sort, density } = settings.preferences;
  const scroller = useRef<HTMLTableElement>(null);
  const idPrefix = useId();
  const activeIndex = activeId === null ? -1 : rows.findIndex((row) => row.id === activeId);
  const rowHeight = ROW_HEIGHT[density];
  const layout = useColumnLayout(scroller, arrangement, context.isReview, settings);
  const { columns } = layout;
  const totalWidth = totalWidthOf(columns);
  const cursor = useCellCursor(columns, activeIndex >= 0 ? `${idPrefix}-${activeId}` : null);

  const scrollPaddingEnd = SCROLL_PADDING_END;
  const virtualizer = useVirtualRows(scroller, { count: rows.length, rowHeight, activeIndex, scrollPaddingEnd });
  useScrollAnchor(scroller, rows, { listKey, rowHeight, takeFirstLine: props.takeFirstLine });
  const scrollTo = (index: number, align: "auto" | "center"): void => {
    virtualizer.scrollToIndex(index, { align });
    if (align === "center") scroller.current?.focus({ preventScroll: true });
  };
  useScrollToRow(props, scrollTo);
  useScrollToColumn(scroller, columns, OFFER_COLUMN_ID, props.savedOffers);

  const moveTo = (index: number, isExtending: boolean): void => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[target];
    if (!row) return;
    if (isExtending) selection.select(row.id, true);
    onActivate(row.id);
    scrollTo(target, "auto");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1;
    const target = hasModifier(event) ? null : targetOfKey(event.key, { activeIndex, count: rows.length, page });
    const row = rows[activeIndex];
    const isOnControl = event.target !== event.currentTarget && (event.key === "Enter" || event.key === " ");
    if (target !== null) moveTo(target, event.shiftKey);
    else if (cursor.onKey(event)) event.stopPropagation();
    else if (isSelectAll(event)) selection.selectAll();
    else if (!row || isOnControl || hasModifier(event) || !onRowKey(event.key, row)) return;
    event.preventDefault();
  };

  return (
    <table
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={label}
      aria-multiselectable
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={cursor.activeId ?? undefined}
      tabIndex={0}
      data-density={density}
      style={{ scrollPaddingInlineStart: totalWidthOf(columns.filter(({ isPinned }) => isPinned)) }}
      onKeyDown={onKeyDown}
      data-scrolled={layout.isAside || undefined}
      onScroll={layout.onScroll}
      onFocus={({ target, currentTarget }) => {
        const first = rows[Math.floor(currentTarget.scrollTop / rowHeight)];
        if (target === currentTarget && activeIndex < 0 && first) onActivate(first.id);
      }}
    >
      <GridHead
        columns={columns}
        sort={sort}
        onSort={onSort}
        onResize={layout.resize}
        onDrop={props.onDropColumn}
        rowCount={rows.length}
        selection={selection}
      />
      <tbody className={styles.body} style={{ height: virtualizer.getTotalSize(), minWidth: totalWidth }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <GridRow
              key={row.id}
              id={`${idPrefix}-${row.id}`}
              {...rowIn(props, row)}
              index={item.index}
              top={item.start}
              columns={columns}
              inView={layout.inView}
              isActive={row.id === activeId}
              cursor={row.id === activeId ? cursor.columnId : null}
              onActivate={onActivate}
            />
          );
        })}
      </tbody>
    </table>
  );
}

/** Scrolls a column into view each time that `cause` changes. */
function useScrollToColumn(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly ColumnLayout[],
  id: string,
  cause: object | null,
): void {
  const show = useEffectEvent(() => {
    const end = totalWidthOf(columns.slice(0, columns.findIndex((column) => column.id === id) + 1));
    const element = scroller.current;
    if (element && end > element.scrollLeft + element.clientWidth)
      element.scrollTo({ left: end - element.clientWidth, behavior: "smooth" });
  });
  useEffect(() => {
    if (cause !== null) show();
  }, [cause]);
}

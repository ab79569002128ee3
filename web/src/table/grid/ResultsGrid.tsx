import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { hasModifier, isSelectAll, targetOfKey } from "../../ui/keys/grid-keys.ts";
import { useVirtualRows } from "../../ui/use-virtual-rows.ts";
import type { ColumnArrangement } from "../columns/column-arrangement.ts";
import { type ColumnLayout, totalWidthOf, useColumnLayout } from "../columns/column-layout.ts";
import { OFFER_COLUMN_ID } from "../columns/columns.tsx";
import type { TableSettings } from "../columns/use-table-preferences.ts";
import type { TableSort } from "../columns/row-sorter.ts";
import type { TableControl } from "../filter/use-table-control.ts";
import { GridHead } from "./GridHead.tsx";
import styles from "./ResultsGrid.module.css";
import {
  type ListedRow,
  rowIn,
  type RowListProps,
  type TakeFirstLine,
  useScrollAnchor,
  useScrollToRow,
} from "./use-scroll-anchor.ts";
import type { CellProps } from "../row/row-context.ts";
import { useRested } from "../row/use-rested.ts";
import { rowMessage } from "../../card/row-messages.ts";
import { Boundary } from "../../ui/Boundary.tsx";
import tones from "../row/tone.module.css";

const ROW_HEIGHT = { comfortable: 56, compact: 36 };
/** Keeps the active row clear of the header (36 px) and of a horizontal scroll bar. */
const SCROLL_PADDING = { scrollPaddingEnd: 36 + 16 };

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
  /** The place of the control's active row; -1 without one. */
  activeIndex: number;
  onRowKey: (key: string, row: ResultRow) => boolean;
  takeFirstLine: TakeFirstLine;
};

/** A virtualized ARIA grid. It keeps the focus and names the active row, so that changing rows can't take the focus. */
export function ResultsGrid(props: ResultsGridProps) {
  const { label, rows, selection, context, activeIndex } = props;
  const { settings, arrangement, onSort, listKey, onRowKey } = props;
  const { activeId, setActiveId: onActivate } = props.control;
  const { sort, density } = settings.preferences;
  const scroller = useRef<HTMLTableElement>(null);
  const idPrefix = useId();
  const rowHeight = ROW_HEIGHT[density];
  const layout = useColumnLayout(scroller, arrangement, context.isReview, settings);
  const { columns } = layout;
  const cursor = useCellCursor(columns, activeIndex >= 0 ? `${idPrefix}-${activeId}` : null);

  const virtualizer = useVirtualRows(scroller, { count: rows.length, rowHeight, activeIndex, ...SCROLL_PADDING });
  useScrollAnchor(scroller, rows, { listKey, rowHeight, takeFirstLine: props.takeFirstLine });
  const scrollTo = (index: number, align: "auto" | "center"): void => {
    virtualizer.scrollToIndex(index, { align });
    if (align === "center") scroller.current?.focus({ preventScroll: true });
  };
  useScrollToRow(props, scrollTo);
  useScrollToOffers(scroller, columns, props.savedOffers);

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
      onPointerDown={passToRow}
      onClick={passToRow}
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
      <tbody
        className={styles.body}
        data-scrolling={virtualizer.isScrolling || undefined}
        style={{ height: virtualizer.getTotalSize(), minWidth: totalWidthOf(columns) }}
      >
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

/** Passes a click to the element under the pointer. While the table scrolls, its rows get no pointer events. */
function passToRow({ target, currentTarget, clientX, clientY, nativeEvent }: MouseEvent<HTMLTableElement>): void {
  const body = currentTarget.tBodies[0];
  if (target !== currentTarget || !body) return;
  body.style.pointerEvents = "auto";
  const hit = document.elementFromPoint(clientX, clientY);
  body.style.pointerEvents = "";
  if (hit === null || !body.contains(hit)) return;
  const Copied = nativeEvent instanceof globalThis.PointerEvent ? globalThis.PointerEvent : globalThis.MouseEvent;
  hit.dispatchEvent(new Copied(nativeEvent.type, nativeEvent));
}

/** Scrolls the offers into view each time that a rule is saved. */
function useScrollToOffers(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly ColumnLayout[],
  saved: OfferRule | null,
): void {
  const show = useEffectEvent(() => {
    const end = totalWidthOf(columns.slice(0, columns.findIndex(({ id }) => id === OFFER_COLUMN_ID) + 1));
    const element = scroller.current;
    if (element && end > element.scrollLeft + element.clientWidth)
      element.scrollTo({ left: end - element.clientWidth, behavior: "smooth" });
  });
  useEffect(() => {
    if (saved !== null) show();
  }, [saved]);
}

type GridRowProps = ListedRow & {
  id: string;
  index: number;
  top: number;
  columns: readonly ColumnLayout[];
  /** The number of columns in view. A row that is only scrolled past draws no others, and of these only the text. */
  inView: number;
  isActive: boolean;
  /** The column that the arrow keys have reached in this row. */
  cursor: string | null;
  onActivate: (id: string) => void;
};

/** One row of the grid. A value that can't be shown costs its own row only. Re-renders only when its props change. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, top } = props;
  const broken = (
    <tr className={styles.row} data-line={row.line} style={{ top }}>
      <td className={styles.cell}>Line {row.line} can&apos;t be shown because of an error in Slabdesk.</td>
    </tr>
  );
  return (
    <Boundary name="This row" resetKey={row} fallback={broken}>
      <Row {...props} />
    </Boundary>
  );
});

function Row(props: GridRowProps) {
  const { id, row, index, top, columns, inView, isActive, cursor, isSelected, isFlashing, editor, context } = props;
  const isWhole = useRested(row.id) || isActive;
  const cell: CellProps = { row, context, tabIndex: isActive ? 0 : -1, isSelected };
  const activate = (): void => props.onActivate(row.id);
  return (
    <tr
      id={id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`${tones.tone} ${styles.row}`}
      data-active={isActive || undefined}
      data-flashing={isFlashing || undefined}
      data-tone={rowMessage(row, context.isRunning).tone}
      data-line={row.line}
      style={{ top }}
      onPointerDown={(event) => {
        if (!picks(event)) activate();
      }}
      onMouseDown={(event) => {
        // Prevents text selection.
        if (picks(event)) event.preventDefault();
      }}
      onClick={(event) => {
        if (!picks(event)) return;
        context.onSelect(row.id, event.shiftKey);
        activate();
        event.currentTarget.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
      }}
      onFocus={activate}
    >
      {editor !== null && (
        // Anchors the number editor. Stays in view when the columns scroll.
        <td style={{ position: "sticky", left: 12, flex: "none", width: 0 }} aria-hidden="true">
          {editor}
        </td>
      )}
      {(isWhole ? columns : columns.slice(0, inView)).map((column) => (
        <td
          key={column.id}
          id={isActive ? cellIdOf(id, column.id) : undefined}
          data-cursor={column.id === cursor || undefined}
          className={styles.cell}
          {...column.cellProps}
        >
          {isWhole ? column.cell(cell) : column.text?.(row)}
        </td>
      ))}
    </tr>
  );
}

/** True for a click that selects the row: a modifier key is down and the target isn't a link or another button than the name. */
function picks({ shiftKey, ctrlKey, metaKey, target }: MouseEvent | PointerEvent): boolean {
  if (!shiftKey && !ctrlKey && !metaKey) return false;
  return (
    target instanceof Element &&
    target.closest("a, button:not([data-opens-card]), input, label, [role=dialog]") === null
  );
}

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

const cellIdOf = (rowId: string, columnId: string): string => `${rowId}-${columnId}`;

/** The column that the arrow keys have reached in the active row, which a screen reader then reads with its header. */
function useCellCursor(columns: readonly ColumnLayout[], rowId: string | null) {
  const [wanted, setWanted] = useState<string | null>(null);
  const place = columns.findIndex(({ id }) => id === wanted);
  const columnId = rowId === null ? null : (columns[place]?.id ?? null);
  const activeId = rowId !== null && columnId !== null ? cellIdOf(rowId, columnId) : rowId;
  /** True if the key was used: an arrow moves the cursor, and Enter presses the cell's link or button. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (rowId === null || event.target !== event.currentTarget || hasModifier(event)) return false;
    if (event.key === "Enter" && columnId !== null) {
      const control = document
        .getElementById(cellIdOf(rowId, columnId))
        ?.querySelector<HTMLElement>("a, button, input");
      control?.click();
      return control !== null && control !== undefined;
    }
    const step = STEPS[event.key];
    if (step === undefined) return false;
    const next = columns[Math.min(place + step, columns.length - 1)];
    setWanted(next?.id ?? null);
    if (next)
      document.getElementById(cellIdOf(rowId, next.id))?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return true;
  };
  return { columnId, activeId, onKey };
}

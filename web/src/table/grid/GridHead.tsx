import { Text, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type DragEvent, type KeyboardEvent, memo, type PointerEvent, type RefObject, useRef, useState } from "react";
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from "../columns/column-arrangement.ts";
import styles from "./ResultsGrid.module.css";
import { nextSort, type TableSort } from "../columns/row-sorter.ts";
import { type ColumnLayout, type ResizeColumn, totalWidthOf } from "../columns/column-layout.ts";
import { SelectBox } from "../row/SelectBox.tsx";
import { formatCount } from "../../ui/format-numbers.ts";
import type { RowListProps } from "./use-scroll-anchor.ts";

type GridHeadProps = {
  columns: readonly ColumnLayout[];
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
  onResize: ResizeColumn;
  /** Drops a column before (-1) or after (1) another one. */
  onDrop: (id: string, at: string, side: -1 | 1) => void;
  rowCount: number;
  selection: RowListProps["selection"];
};

const HEAD_TEXT = { span: true, inherit: true, lineClamp: 2, lh: 1.2, style: { whiteSpace: "normal" } } as const;

/** Sorts, moves and resizes columns. The labels share one tab stop, the edges another: the one used last. */
export const GridHead = memo(function GridHead(props: GridHeadProps) {
  const { columns, sort, onSort, onResize, onDrop, rowCount, selection } = props;
  const drag = useColumnDrag(onDrop);
  const head = useRef<HTMLTableSectionElement>(null);
  const sortable = columns.filter(({ head }) => head === undefined);
  const resizable = columns.filter(({ hasFixedWidth }) => !hasFixedWidth);
  const labelStop = useTabStop(head, sortable, "button");
  const edgeStop = useTabStop(head, resizable, "input");
  return (
    <thead ref={head} className={styles.head} style={{ minWidth: totalWidthOf(columns) }}>
      <tr aria-rowindex={1} className={styles.headRow}>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-label={column.header}
            aria-sort={sort?.columnId === column.id ? sort.direction : undefined}
            className={styles.headCell}
            {...column.cellProps}
            data-drop={drag.sideOf(column)}
            {...drag.targetOf(column)}
          >
            {column.head === "selects" && (
              <SelectBox
                label={`Select all ${formatCount(rowCount)} rows shown`}
                share={selection.share}
                onToggle={selection.toggleAll}
              />
            )}
            {column.head === "message" && <Text {...HEAD_TEXT}>{column.header}</Text>}
            {column.head === undefined && (
              <SortButton column={column} sort={sort} onSort={onSort} stop={labelStop(column)} drag={drag} />
            )}
            {!column.hasFixedWidth && <ResizeHandle column={column} onResize={onResize} stop={edgeStop(column)} />}
          </th>
        ))}
      </tr>
    </thead>
  );
});

/** Moves a column by drag and drop. `sideOf` is the side of a header at which the column would be dropped. */
function useColumnDrag(onDrop: GridHeadProps["onDrop"]) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<{ id: string; side: -1 | 1 } | null>(null);
  const end = (): void => {
    setDragged(null);
    setOver(null);
  };
  const targetOf = ({ id, head }: ColumnLayout) => {
    if (dragged === null || dragged === id || head !== undefined) return {};
    return {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        const { left, width } = event.currentTarget.getBoundingClientRect();
        const side = event.clientX < left + width / 2 ? -1 : 1;
        if (over?.id !== id || over.side !== side) setOver({ id, side });
      },
      onDragLeave: () => setOver(null),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        if (over !== null) onDrop(dragged, over.id, over.side);
        end();
      },
    };
  };
  const sideOf = ({ id }: ColumnLayout) => (over?.id !== id ? undefined : over.side === -1 ? "before" : "after");
  return { targetOf, sideOf, start: setDragged, end };
}

/** One tab stop for an element of each column: the one used last. */
function useTabStop(head: RefObject<HTMLElement | null>, columns: readonly ColumnLayout[], element: string) {
  const [lastUsed, setLastUsed] = useState<string | null>(null);
  const current = columns.find(({ id }) => id === lastUsed) ?? columns[0];
  return (column: ColumnLayout): TabStop => ({
    tabIndex: column === current ? 0 : -1,
    onFocus: () => setLastUsed(column.id),
    onMove: (step) => {
      const next = columns[columns.indexOf(column) + step];
      if (next) head.current?.querySelector<HTMLElement>(`[data-column="${next.id}"] ${element}`)?.focus();
    },
  });
}

type SortButtonProps = Pick<GridHeadProps, "sort" | "onSort"> & {
  column: ColumnLayout;
  stop: TabStop;
  drag: ReturnType<typeof useColumnDrag>;
};

function SortButton({ column: { id, header }, sort, onSort, stop, drag }: SortButtonProps) {
  const direction = sort?.columnId === id ? sort.direction : null;
  const Arrow = direction === "descending" ? IconArrowDown : IconArrowUp;
  const next = nextSort(sort, id);
  return (
    <UnstyledButton
      className={styles.sort}
      data-sorted={direction ?? undefined}
      title={next ? `Sort by ${header}, ${next.direction}` : "Back to the order of the sheet"}
      tabIndex={stop.tabIndex}
      draggable
      onDragStart={() => drag.start(id)}
      onDragEnd={drag.end}
      onFocus={stop.onFocus}
      onKeyDown={(event) => onKey(event, { ArrowLeft: () => stop.onMove(-1), ArrowRight: () => stop.onMove(1) })}
      onClick={() => onSort(next)}
    >
      <Text {...HEAD_TEXT}>{header}</Text>
      {direction !== null && <Arrow size={13} stroke={2.25} aria-hidden="true" />}
    </UnstyledButton>
  );
}

/** Handles a key, and keeps all keys but Tab from the grid, which would move the active row. */
function onKey(event: KeyboardEvent, actions: Readonly<Record<string, () => void>>): void {
  if (event.key !== "Tab") event.stopPropagation();
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

const STEP = 8;

/** An element's place in the tab order. `onMove` focuses the same element of the next or the previous column. */
type TabStop = { tabIndex: number; onFocus: () => void; onMove: (step: -1 | 1) => void };

type ResizeHandleProps = { column: ColumnLayout; onResize: ResizeColumn; stop: TabStop };

/** A header's right edge: a slider. Enter or a double click restores the width; a release makes it final. */
function ResizeHandle({ column: { id, header, width }, onResize, stop }: ResizeHandleProps) {
  const grabbed = useRef<{ x: number; width: number } | null>(null);
  const draft = useRef<number | null>(null);
  const draw = (wanted: number): void => {
    draft.current = wanted;
    onResize(id, wanted, false);
  };
  const settle = (): void => {
    if (draft.current !== null) onResize(id, draft.current, true);
    grabbed.current = null;
    draft.current = null;
  };
  const reset = (): void => onResize(id, null, true);
  const onPointerDown = ({ button, clientX, currentTarget, pointerId }: PointerEvent): void => {
    if (button !== 0) return;
    currentTarget.setPointerCapture(pointerId);
    grabbed.current = { x: clientX, width };
  };
  const onKeyDown = (event: KeyboardEvent): void =>
    onKey(event, {
      ArrowLeft: () => draw(width - STEP),
      ArrowRight: () => draw(width + STEP),
      ArrowUp: () => stop.onMove(-1),
      ArrowDown: () => stop.onMove(1),
      Enter: reset,
    });
  return (
    <span className={styles.resizeHandle}>
      <input
        type="range"
        className={styles.resizeInput}
        aria-label={`Width of ${header}`}
        aria-valuetext={`${width} pixels`}
        min={MIN_COLUMN_WIDTH}
        max={MAX_COLUMN_WIDTH}
        value={width}
        tabIndex={stop.tabIndex}
        onFocus={stop.onFocus}
        onBlur={settle}
        onKeyDown={onKeyDown}
        onKeyUp={settle}
        // Keeps the range input from jumping to the pointer.
        onMouseDown={(event) => event.preventDefault()}
        onPointerDown={onPointerDown}
        onPointerMove={({ clientX }) => {
          if (grabbed.current) draw(grabbed.current.width + clientX - grabbed.current.x);
        }}
        onLostPointerCapture={settle}
        onDoubleClick={reset}
        onChange={(event) => {
          if (!grabbed.current) onResize(id, event.currentTarget.valueAsNumber, true);
        }}
      />
      <span className={styles.resizeLine} />
    </span>
  );
}

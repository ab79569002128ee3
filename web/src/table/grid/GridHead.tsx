import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { ResizeHandle } from "./ResizeHandle.tsx";
import styles from "./ResultsGrid.module.css";
import { nextSort, type TableSort } from "../sort/row-sorter.ts";
import type { ColumnLayout } from "../columns/column-layout.ts";
import type { ResizeColumn } from "../columns/use-column-layout.ts";

type GridHeadProps = {
  columns: readonly ColumnLayout[];
  totalWidth: number;
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
  onResize: ResizeColumn;
  /** The checkbox that selects all visible rows. */
  selectAll: ReactNode;
};

/**
 * The grid's header. A column's label sorts by that column. The labels share one tab stop, and the column edges share
 * another; each stop is the element used last.
 */
export function GridHead({ columns, totalWidth, sort, onSort, onResize, selectAll }: GridHeadProps) {
  const head = useRef<HTMLTableSectionElement>(null);
  const labels = useStops(columns.filter(({ head }) => head === undefined));
  const edges = useStops(columns.filter(({ hasFixedWidth }) => !hasFixedWidth));

  const focusIn = (id: string | undefined, selector: "input" | "button"): void => {
    if (id !== undefined) head.current?.querySelector<HTMLElement>(`[data-column="${id}"] ${selector}`)?.focus();
  };
  return (
    <thead ref={head} className={styles.head} style={{ minWidth: totalWidth }}>
      <tr aria-rowindex={1} className={styles.headRow}>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-colindex={column.position}
            aria-label={column.header}
            aria-sort={sort?.columnId === column.id ? sort.direction : undefined}
            className={styles.headCell}
            data-column={column.id}
            data-pinned={column.isPinned || undefined}
            data-edge={column.isLastPinned || undefined}
            data-align={column.align}
            style={column.style}
          >
            {column.head === "selects" && selectAll}
            {column.head === "message" && <span className={styles.headText}>{column.header}</span>}
            {column.head === undefined && (
              <SortButton
                column={column}
                sort={sort}
                tabIndex={labels.isStop(column) ? 0 : -1}
                onFocus={() => labels.use(column)}
                onMove={(step) => focusIn(labels.beside(column, step)?.id, "button")}
                onSort={onSort}
              />
            )}
            {!column.hasFixedWidth && (
              <ResizeHandle
                column={column}
                tabIndex={edges.isStop(column) ? 0 : -1}
                onFocus={() => edges.use(column)}
                onMove={(step) => focusIn(edges.beside(column, step)?.id, "input")}
                onResize={onResize}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type Stops = {
  isStop: (column: ColumnLayout) => boolean;
  use: (column: ColumnLayout) => void;
  beside: (column: ColumnLayout, step: -1 | 1) => ColumnLayout | undefined;
};

function useStops(columns: readonly ColumnLayout[]): Stops {
  const [lastUsed, setLastUsed] = useState<string | null>(null);
  const stop = columns.find(({ id }) => id === lastUsed) ?? columns[0];
  return {
    isStop: (column) => column === stop,
    use: ({ id }) => setLastUsed(id),
    beside: (column, step) => columns[columns.indexOf(column) + step],
  };
}

type SortButtonProps = {
  column: ColumnLayout;
  sort: TableSort | null;
  tabIndex: number;
  onFocus: () => void;
  onMove: (step: -1 | 1) => void;
  onSort: (sort: TableSort | null) => void;
};

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

function SortButton({ column, sort, tabIndex, onFocus, onMove, onSort }: SortButtonProps) {
  const direction = sort?.columnId === column.id ? sort.direction : null;
  const Arrow = direction === "descending" ? IconArrowDown : IconArrowUp;
  const next = nextSort(sort, column.id);
  const title = next ? `Sort by ${column.header}, ${next.direction}` : "Back to the order of the sheet";
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keeps keys from the grid, which would move the active row.
    if (event.key !== "Tab") event.stopPropagation();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(step);
  };
  return (
    <UnstyledButton
      className={styles.sort}
      data-sorted={direction ?? undefined}
      title={title}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={() => onSort(next)}
    >
      <span className={styles.headText}>{column.header}</span>
      {direction !== null && <Arrow size={13} stroke={2.25} aria-hidden="true" />}
    </UnstyledButton>
  );
}

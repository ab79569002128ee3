import { type KeyboardEvent, memo, type MouseEvent, type PointerEvent, useState } from "react";
import type { CellProps } from "../row/row-context.ts";
import { useRested } from "../row/use-rested.ts";
import styles from "./ResultsGrid.module.css";
import { rowMessage } from "../../card/row-messages.ts";
import { Boundary } from "../../ui/Boundary.tsx";
import { hasModifier } from "../../ui/keys/grid-keys.ts";
import tones from "../row/tone.module.css";
import type { ColumnLayout } from "../columns/column-layout.ts";
import type { ListedRow } from "./use-scroll-anchor.ts";

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
    <tr className={styles.row} data-line={row.line} style={{ transform: `translateY(${top}px)` }}>
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
      style={{ transform: `translateY(${top}px)` }}
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
        <td className={styles.editing} aria-hidden="true">
          {editor}
        </td>
      )}
      {(isWhole ? columns : columns.slice(0, inView)).map((column) => (
        <td
          key={column.id}
          id={isActive ? cellIdOf(id, column.id) : undefined}
          data-cursor={column.id === cursor || undefined}
          aria-colindex={column.position}
          className={styles.cell}
          data-column={column.id}
          data-pinned={column.isPinned || undefined}
          data-edge={column.isLastPinned || undefined}
          data-align={column.align}
          style={column.style}
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
export function useCellCursor(columns: readonly ColumnLayout[], rowId: string | null) {
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

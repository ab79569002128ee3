import type { KeyboardEvent, MouseEvent } from "react";
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from "./column-arrangement.ts";
import styles from "./ResultsGrid.module.css";
import type { ColumnLayout, ColumnResizing } from "./column-layout.ts";

/** Pixels that an arrow key changes the width by. */
const STEP = 8;

type ResizeHandleProps = {
  column: ColumnLayout;
  resizing: ColumnResizing;
  tabIndex: number;
  onFocus: () => void;
  /** Up and Down move between column edges. */
  onMove: (step: -1 | 1) => void;
};

/**
 * The right edge of a header. Drag it or use the arrow keys to resize; Enter or a double click restores the default
 * width. For the keyboard and screen readers it is a slider.
 */
export function ResizeHandle({ column, resizing, tabIndex, onFocus, onMove }: ResizeHandleProps) {
  const actions: Record<string, () => void> = {
    ArrowLeft: () => resizing.setWidth(column.width - STEP),
    ArrowRight: () => resizing.setWidth(column.width + STEP),
    ArrowUp: () => onMove(-1),
    ArrowDown: () => onMove(1),
    Enter: resizing.reset,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Tab") return;
    event.stopPropagation();
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const onMouseDown = (event: MouseEvent): void => {
    if (event.button !== 0) return;
    // Keeps the range input below from jumping to the pointer.
    event.preventDefault();
    resizing.start(event);
  };
  return (
    <span className={styles.resizeHandle} data-resizing={resizing.isUnderWay || undefined}>
      <input
        type="range"
        className={styles.resizeInput}
        aria-label={`Width of ${column.header}`}
        aria-valuetext={`${column.width} pixels`}
        min={MIN_COLUMN_WIDTH}
        max={MAX_COLUMN_WIDTH}
        value={column.width}
        tabIndex={tabIndex}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onMouseDown={onMouseDown}
        onTouchStart={resizing.start}
        onDoubleClick={resizing.reset}
        onChange={(event) => {
          if (!resizing.isUnderWay) resizing.setWidth(event.currentTarget.valueAsNumber);
        }}
      />
      <span className={styles.resizeLine} />
    </span>
  );
}

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from "../columns/column-arrangement.ts";
import type { ColumnLayout, ResizeColumn } from "../columns/column-layout.ts";
import styles from "./ResultsGrid.module.css";

/** Pixels that an arrow key changes the width by. */
const STEP = 8;

/** An element's place in the tab order. `onMove` focuses the same element of the next or the previous column. */
export type TabStop = { tabIndex: number; onFocus: () => void; onMove: (step: -1 | 1) => void };

type ResizeHandleProps = { column: ColumnLayout; onResize: ResizeColumn; stop: TabStop };

/**
 * The right edge of a header. Drag it or use the arrow keys to resize; Enter or a double click restores the default
 * width; Up and Down move between the edges. For the keyboard and screen readers it is a slider. The width is final when
 * the pointer or the key is released.
 */
export function ResizeHandle({ column: { id, header, width }, onResize, stop }: ResizeHandleProps) {
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
  const actions: Record<string, () => void> = {
    ArrowLeft: () => draw(width - STEP),
    ArrowRight: () => draw(width + STEP),
    ArrowUp: () => stop.onMove(-1),
    ArrowDown: () => stop.onMove(1),
    Enter: reset,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Tab") return;
    event.stopPropagation();
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
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

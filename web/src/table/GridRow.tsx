import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { memo, type ReactNode } from "react";
import type { ColumnWindow } from "./column-window.ts";
import type { CellContext } from "./columns.tsx";
import styles from "./ResultsGrid.module.css";
import { rowWords } from "./row-words.ts";
import type { ColumnLayout } from "./use-column-layout.ts";

type GridRowProps = {
  id: string;
  row: ResultRow;
  index: number;
  top: number;
  columns: ColumnWindow;
  isActive: boolean;
  onActivate: (id: string) => void;
  /** The form that edits the row's number, while it does. */
  editor: ReactNode;
} & Omit<CellContext, "tabIndex">;

/** One row of the grid; drawn again only when the row itself, its place or the columns change. */
export const GridRow = memo(function GridRow({
  id,
  row,
  index,
  top,
  columns,
  isActive,
  onActivate,
  editor,
  ...rest
}: GridRowProps) {
  const context: CellContext = { ...rest, tabIndex: isActive ? 0 : -1 };
  const activate = (): void => onActivate(row.id);
  return (
    <tr
      id={id}
      aria-rowindex={index + 2}
      aria-selected={isActive}
      className={styles.row}
      data-tone={rowWords(row, rest.isRunning).tone}
      data-line={row.line}
      style={{ transform: `translateY(${top}px)` }}
      onPointerDown={activate}
      onFocus={activate}
    >
      {editor !== null && (
        <td className={styles.editing} aria-hidden="true">
          {editor}
        </td>
      )}
      {columns.pinned.map((column) => (
        <Cell key={column.id} column={column}>
          {column.cell(row, context)}
        </Cell>
      ))}
      {columns.inView.map((column, index) => (
        <Cell key={column.id} column={column} gapBefore={index === 0 ? columns.skipped : 0}>
          {column.cell(row, context)}
        </Cell>
      ))}
    </tr>
  );
});

type CellProps = { column: ColumnLayout; gapBefore?: number; children: ReactNode };

function Cell({ column, gapBefore = 0, children }: CellProps) {
  return (
    <td
      aria-colindex={column.position}
      className={styles.cell}
      data-pinned={column.isPinned || undefined}
      data-edge={column.isLastPinned || undefined}
      data-align={column.align}
      style={gapBefore === 0 ? column.style : { ...column.style, marginInlineStart: gapBefore }}
    >
      {children}
    </td>
  );
}

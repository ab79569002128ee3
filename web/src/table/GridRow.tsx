import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { memo } from "react";
import type { CellContext } from "./columns.tsx";
import styles from "./ResultsGrid.module.css";
import { rowWords } from "./row-words.ts";
import type { ColumnLayout } from "./use-column-layout.ts";

type GridRowProps = {
  id: string;
  row: ResultRow;
  index: number;
  top: number;
  columns: ColumnLayout[];
  isActive: boolean;
  onActivate: (id: string) => void;
} & Omit<CellContext, "tabIndex">;

/** One row of the grid; drawn again only when the row itself, its place or the columns change. */
export const GridRow = memo(function GridRow({ id, row, index, top, columns, isActive, onActivate, ...rest }: GridRowProps) {
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
      {columns.map((column, columnIndex) => (
        <td key={column.id} aria-colindex={columnIndex + 1} className={styles.cell} data-pinned={column.isPinned || undefined} data-edge={column.isLastPinned || undefined} data-align={column.align} style={column.style}>
          {column.cell(row, context)}
        </td>
      ))}
    </tr>
  );
});

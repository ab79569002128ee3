import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useTable } from "@tanstack/react-table";
import { type CSSProperties, type ReactNode, useMemo } from "react";
import { type CellContext, PINNED_COLUMNS, RESULT_COLUMNS, tableModel } from "./columns.tsx";

/** One visible column as the grid draws it. `style` is shared by its header and all its cells. */
export type ColumnLayout = {
  id: string;
  header: string;
  /** Its place among the visible columns, from 1. */
  position: number;
  isPinned: boolean;
  isLastPinned: boolean;
  align: "start" | "end";
  /** CSS pixels. */
  width: number;
  style: CSSProperties;
  cell: (row: ResultRow, context: CellContext) => ReactNode;
};

/** A column the user may show or hide. */
export type ColumnChoice = { id: string; header: string; isVisible: boolean };

/**
 * The table model is given no rows on purpose: it would make an object for each of them again on every event of a
 * run. It answers which columns are shown, in what order and width; the grid takes its rows from the store.
 */
const NO_ROWS: ResultRow[] = [];

export function useColumnLayout(hiddenColumns: readonly string[]): {
  columns: ColumnLayout[];
  totalWidth: number;
  choices: ColumnChoice[];
} {
  const columnVisibility = useMemo(() => Object.fromEntries(hiddenColumns.map((id) => [id, false])), [hiddenColumns]);
  const table = useTable({
    features: tableModel,
    columns: RESULT_COLUMNS,
    data: NO_ROWS,
    state: { columnVisibility, columnPinning: PINNED_COLUMNS },
  });

  return useMemo(() => {
    const visible = table.getVisibleLeafColumns();
    const columns = visible.flatMap((column, index): ColumnLayout[] => {
      const { meta, header } = column.columnDef;
      if (!meta || typeof header !== "string") return [];
      const isPinned = column.getIsPinned() === "start";
      return [
        {
          id: column.id,
          header,
          position: index + 1,
          isPinned,
          isLastPinned: isPinned && visible[index + 1]?.getIsPinned() !== "start",
          align: meta.align ?? "start",
          width: column.getSize(),
          style: { width: column.getSize(), ...(isPinned ? { insetInlineStart: column.getStart("start") } : {}) },
          cell: meta.cell,
        },
      ];
    });
    const choices = table
      .getAllLeafColumns()
      .filter((column) => column.getCanHide())
      .map((column) => ({
        id: column.id,
        header: String(column.columnDef.header),
        isVisible: columnVisibility[column.id] !== false,
      }));
    return { columns, totalWidth: table.getTotalSize(), choices };
  }, [table, columnVisibility]);
}

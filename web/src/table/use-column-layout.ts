import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { functionalUpdate, type TableOptions, useTable } from "@tanstack/react-table";
import { useMemo } from "react";
import {
  type ColumnArrangement,
  drawnOrder,
  MAX_COLUMN_WIDTH,
  MIN_COLUMN_WIDTH,
  normalizeWidth,
} from "./column-arrangement.ts";
import type { ColumnLayout, TableLayout } from "./column-layout.ts";
import { RESULT_COLUMNS, tableModel } from "./columns.tsx";
import { type LeadingColumn, withLeading } from "./leading-columns.tsx";
import type { ChangePreferences } from "./table-preferences.ts";

/**
 * The table model gets no rows on purpose; it would rebuild an object per row on every event of a run. It only computes
 * column visibility, order and width. The grid reads rows from the store.
 */
const NO_ROWS: ResultRow[] = [];

/**
 * The columns in the user's arrangement, after the fixed ones. The result is stable until the arrangement changes or a
 * column is dragged.
 */
export function useColumnLayout(
  arrangement: ColumnArrangement,
  leading: readonly LeadingColumn[],
  onChange: ChangePreferences,
): TableLayout {
  const { hiddenColumns, columnOrder, pinnedColumns, columnWidths } = arrangement;
  const options = useMemo(
    (): TableOptions<typeof tableModel, ResultRow> => ({
      features: tableModel,
      columns: RESULT_COLUMNS,
      data: NO_ROWS,
      defaultColumn: { minSize: MIN_COLUMN_WIDTH, maxSize: MAX_COLUMN_WIDTH },
      columnResizeMode: "onChange",
      state: {
        columnVisibility: Object.fromEntries(hiddenColumns.map((id) => [id, false])),
        columnOrder: [...columnOrder],
        columnPinning: {
          start: drawnOrder({ columnOrder, pinnedColumns }).slice(0, pinnedColumns.length),
          end: [],
        },
        columnSizing: { ...columnWidths },
      },
      onColumnSizingChange: (updater) =>
        onChange((current) => ({
          ...current,
          columnWidths: normalizedWidths(functionalUpdate(updater, { ...current.columnWidths })),
        })),
    }),
    [hiddenColumns, columnOrder, pinnedColumns, columnWidths, onChange],
  );
  const table = useTable(options);

  return useMemo((): TableLayout => {
    const headers = [...table.getStartLeafHeaders(), ...table.getCenterLeafHeaders()];
    const pinnedCount = table.getStartLeafHeaders().length;
    const columns = headers.flatMap((columnHeader, index): ColumnLayout[] => {
      const { column } = columnHeader;
      const { meta, header } = column.columnDef;
      if (!meta || typeof header !== "string") return [];
      const isPinned = index < pinnedCount;
      return [
        {
          id: column.id,
          head: "sorts",
          header,
          position: index + 1,
          isPinned,
          isLastPinned: index === pinnedCount - 1,
          align: meta.align ?? "start",
          width: column.getSize(),
          style: { width: column.getSize(), ...(isPinned ? { insetInlineStart: column.getStart("start") } : {}) },
          cell: meta.cell,
          resizing: column.getCanResize()
            ? {
                isUnderWay: column.getIsResizing(),
                start: columnHeader.getResizeHandler(),
                setWidth: (width) => table.setColumnSizing((widths) => ({ ...widths, [column.id]: width })),
                reset: () => column.resetSize(),
              }
            : null,
        },
      ];
    });
    return withLeading(leading, { columns, totalWidth: table.getTotalSize() });
  }, [table, leading]);
}

function normalizedWidths(widths: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, normalizeWidth(width)]));
}

import type { ReactNode } from "react";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { CellContext } from "./columns.tsx";
import { ReviewCell } from "./review/ReviewCell.tsx";
import { RowCheckbox } from "./selection/RowCheckbox.tsx";
import type { ColumnHead, ColumnLayout, TableLayout } from "./column-layout.ts";

/** A column that users can't move. It is pinned before the arranged columns. Widths in CSS pixels. */
export type LeadingColumn = {
  id: string;
  header: string;
  head: ColumnHead;
  width: number;
  cell: (row: ResultRow, context: CellContext) => ReactNode;
};

const SELECT: LeadingColumn = {
  id: "select",
  header: "Selected",
  head: "selects",
  width: 34,
  cell: (row, { tabIndex, isSelected, onSelect }) => (
    <RowCheckbox row={row} tabIndex={tabIndex} isSelected={isSelected} onSelect={onSelect} />
  ),
};

const LOOK: LeadingColumn = {
  id: "look",
  header: "Needs a look",
  head: "message",
  width: 304,
  cell: (row, { tabIndex, review }) => <ReviewCell row={row} tabIndex={tabIndex} review={review} />,
};

export const LEADING_COLUMNS: readonly LeadingColumn[] = [SELECT];
export const LEADING_LOOK_COLUMNS: readonly LeadingColumn[] = [SELECT, LOOK];

/** Adds columns at the start of the layout and shifts its pinned columns to the right by their width. */
export function withLeading(leading: readonly LeadingColumn[], { columns, totalWidth }: TableLayout): TableLayout {
  const hasPinned = columns.some((column) => column.isPinned);
  let start = 0;
  const first = leading.map(({ id, header, head, width, cell }, index): ColumnLayout => {
    const insetInlineStart = start;
    start += width;
    return {
      id,
      head,
      header,
      position: index + 1,
      isPinned: true,
      isLastPinned: !hasPinned && index === leading.length - 1,
      align: "start",
      width,
      style: { width, insetInlineStart },
      cell,
      resizing: null,
    };
  });
  const moved = columns.map((column) => ({
    ...column,
    position: column.position + leading.length,
    style: column.isPinned
      ? { ...column.style, insetInlineStart: Number(column.style.insetInlineStart ?? 0) + start }
      : column.style,
  }));
  return { columns: [...first, ...moved], totalWidth: totalWidth + start };
}

import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { CSSProperties, ReactNode } from "react";
import type { CellContext } from "./columns.tsx";

/** How a column's width is changed: by dragging from `start`, or at once. Widths in CSS pixels. */
export type ColumnResizing = {
  isUnderWay: boolean;
  /** The handler of the press that begins a drag, of a mouse or a finger. */
  start: (event: unknown) => void;
  setWidth: (width: number) => void;
  reset: () => void;
};

/** What stands in a column's header: words that sort by it, words alone, or the box that selects all rows shown. */
export type ColumnHead = "sorts" | "message" | "selects";

/** One visible column as the grid draws it. `style` is shared by its header and all its cells. */
export type ColumnLayout = {
  id: string;
  head: ColumnHead;
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
  /** Null for a column whose width is fixed. */
  resizing: ColumnResizing | null;
};

/** The visible columns from left to right, and their width together. */
export type TableLayout = { columns: ColumnLayout[]; totalWidth: number };

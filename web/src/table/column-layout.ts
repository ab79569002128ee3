import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { CSSProperties, ReactNode } from "react";
import type { CellContext } from "./columns.tsx";

/** How a column is resized: by dragging from `start`, or directly. Widths in CSS pixels. */
export type ColumnResizing = {
  isUnderWay: boolean;
  /** Handles the mouse or touch press that starts a drag. */
  start: (event: unknown) => void;
  setWidth: (width: number) => void;
  reset: () => void;
};

/** A column's header content: a label that sorts, a plain label, or the checkbox that selects all visible rows. */
export type ColumnHead = "sorts" | "message" | "selects";

/** One visible column as the grid draws it. The header and all cells share `style`. */
export type ColumnLayout = {
  id: string;
  head: ColumnHead;
  header: string;
  /** 1-based position among the visible columns. */
  position: number;
  isPinned: boolean;
  isLastPinned: boolean;
  align: "start" | "end";
  /** CSS pixels. */
  width: number;
  style: CSSProperties;
  cell: (row: ResultRow, context: CellContext) => ReactNode;
  /** Null if the width is fixed. */
  resizing: ColumnResizing | null;
};

/** The visible columns from left to right, and their total width. */
export type TableLayout = { columns: ColumnLayout[]; totalWidth: number };

import { type ReactNode, useEffectEvent, useLayoutEffect } from "react";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { RowContext } from "../row/row-context.ts";
import type { RowSelection } from "../selection/use-selection.ts";
import type { Reveal } from "./use-row-jump.ts";

/** The form that edits a row's number. It renders in that row, which is scrolled into view. */
type RowEditor = { rowId: string; form: ReactNode };

/** What the grid and the phone's cards need alike. */
export type RowListProps = {
  label: string;
  rows: RowsSnapshot;
  selection: RowSelection;
  /** The row to scroll into view. */
  reveal: Reveal | null;
  editor: RowEditor | null;
  context: RowContext;
};

type ScrollToRowOptions = Pick<RowListProps, "rows" | "editor" | "reveal"> & {
  scrollTo: (index: number, align: "auto" | "center") => void;
};

/** Scrolls to the row that is edited or revealed. A row that the user jumps to is centered. */
export function useScrollToRow({ rows, editor, reveal, scrollTo }: ScrollToRowOptions): void {
  const show = useEffectEvent((id: string, align: "auto" | "center") => {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) scrollTo(index, align);
  });
  const editedId = editor?.rowId ?? null;
  useLayoutEffect(() => {
    if (editedId !== null) show(editedId, "auto");
  }, [editedId]);
  useLayoutEffect(() => {
    if (reveal) show(reveal.rowId, reveal.isJump ? "center" : "auto");
  }, [reveal]);
}

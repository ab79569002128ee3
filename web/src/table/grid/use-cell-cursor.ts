import { type KeyboardEvent, useState } from "react";
import type { ColumnLayout } from "../columns/column-layout.ts";
import { hasModifier } from "../../ui/keys/grid-keys.ts";

const STEPS: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

export const cellIdOf = (rowId: string, columnId: string): string => `${rowId}-${columnId}`;

/** The column that the arrow keys have reached in the active row, which a screen reader then reads with its header. */
export function useCellCursor(columns: readonly ColumnLayout[], rowId: string | null) {
  const [wanted, setWanted] = useState<string | null>(null);
  const place = columns.findIndex(({ id }) => id === wanted);
  const columnId = rowId === null ? null : (columns[place]?.id ?? null);
  const activeId = rowId !== null && columnId !== null ? cellIdOf(rowId, columnId) : rowId;
  /** True if the key was used: an arrow moves the cursor, and Enter presses the cell's link or button. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (rowId === null || event.target !== event.currentTarget || hasModifier(event)) return false;
    if (event.key === "Enter" && columnId !== null) {
      const control = document
        .getElementById(cellIdOf(rowId, columnId))
        ?.querySelector<HTMLElement>("a, button, input");
      control?.click();
      return control !== null && control !== undefined;
    }
    const step = STEPS[event.key];
    if (step === undefined) return false;
    const next = columns[Math.min(place + step, columns.length - 1)];
    setWanted(next?.id ?? null);
    if (next)
      document.getElementById(cellIdOf(rowId, next.id))?.scrollIntoView({ block: "nearest", inline: "nearest" });
    return true;
  };
  return { columnId, activeId, onKey };
}

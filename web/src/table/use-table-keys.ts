import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { useCommands } from "../place/commands.ts";
import { isFreeEscape } from "../ui/keys/grid-keys.ts";
import { usePageKeys } from "../ui/use-page-keys.ts";
import type { ChangePreferences } from "./columns/table-preferences.ts";
import { focusGrid } from "./use-row-repairs.tsx";
import type { RowSelection } from "./selection/use-selection.ts";

type TableKeysOptions = {
  panel: RefObject<HTMLElement | null>;
  selection: RowSelection;
  change: ChangePreferences;
  onUndo: () => void;
};

/** The keys of a table that don't belong to one row: find, help, density, undo, and Escape for the selection. */
export function useTableKeys({ panel, selection, change, onUndo }: TableKeysOptions) {
  const findRef = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  usePageKeys(findRef, {
    "/": () => findRef.current?.focus(),
    "?": () => setShowsKeys(true),
    d: () => change((now) => ({ ...now, density: now.density === "compact" ? "comfortable" : "compact" })),
    u: onUndo,
  });
  // Also there while the single-key shortcuts are off.
  useCommands(() =>
    panel.current?.checkVisibility() === true ? [{ label: "Keyboard shortcuts", run: () => setShowsKeys(true) }] : [],
  );
  const clearSelection = (): void => {
    selection.clear();
    focusGrid(panel.current);
  };
  return {
    findRef,
    showsKeys,
    setShowsKeys,
    clearSelection,
    onEscape: (event: KeyboardEvent): void => {
      if (selection.rows.length > 0 && isFreeEscape(event)) clearSelection();
    },
  };
}

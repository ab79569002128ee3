import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import type { RowsSnapshot } from "../rows-store.ts";

type PriceDrawerState = {
  /** The row whose prices are shown. */
  row: ResultRow | null;
  isOpen: boolean;
  open: (row: ResultRow) => void;
  close: () => void;
  /** Goes to the row shown before or after it; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

/**
 * Which row's prices are shown: one of `all`, also when a filter has let it go. What had the focus when they were opened
 * gets it back, else the grid of the panel.
 */
export function usePriceDrawer(
  all: RowsSnapshot,
  shown: RowsSnapshot,
  onActivate: (id: string) => void,
  panel: RefObject<HTMLElement | null>,
): PriceDrawerState {
  const [openId, setOpenId] = useState<string | null>(null);
  const opener = useRef<HTMLElement | null>(null);

  const open = useCallback((row: ResultRow): void => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused.closest('[role="dialog"]') === null) opener.current = focused;
    setOpenId(row.id);
  }, []);
  const close = useCallback((): void => {
    setOpenId(null);
    const before = opener.current;
    const target = before?.isConnected === true ? before : panel.current?.querySelector<HTMLElement>('[role="grid"]');
    (target ?? panel.current)?.focus({ preventScroll: true });
  }, [panel]);

  const row = useMemo(() => (openId === null ? undefined : all.find(({ id }) => id === openId)) ?? null, [all, openId]);
  const index = row === null ? -1 : shown.indexOf(row);
  const goTo = (place: number): (() => void) | undefined => {
    const other = index < 0 ? undefined : shown[place];
    return (
      other &&
      (() => {
        setOpenId(other.id);
        onActivate(other.id);
      })
    );
  };
  return { row, isOpen: row !== null, open, close, onPrevious: goTo(index - 1), onNext: goTo(index + 1) };
}

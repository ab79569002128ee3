import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import type { RowsSnapshot } from "../run/rows-store.ts";
import { focusGrid } from "./use-row-repairs.tsx";

type Kind = "images" | "prices" | "history" | "entry";

/** A dialog or drawer that shows one row. */
export type RowDialog = {
  /** The row shown; null if closed. */
  row: ResultRow | null;
  isOpen: boolean;
  open: (row: ResultRow) => void;
  close: () => void;
  /** Shows the previous visible row; undefined if there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

type RowDialogsOptions = {
  /** All rows. An open row stays even if a filter hides it. */
  all: RowsSnapshot;
  shown: RowsSnapshot;
  onActivate: (id: string) => void;
  panel: RefObject<HTMLElement | null>;
};

/**
 * Controls which row is open in which dialog: images, prices, provenance or the form for entry by hand. Only one is
 * open at a time. Closing
 * returns the focus to the element that had it before the first one opened, or else to the panel's grid.
 */
export function useRowDialogs({ all, shown, onActivate, panel }: RowDialogsOptions): Record<Kind, RowDialog> {
  const [current, setCurrent] = useState<{ kind: Kind; id: string } | null>(null);
  const opener = useRef<HTMLElement | null>(null);

  const opening = useMemo(() => {
    const opensAs =
      (kind: Kind) =>
      (row: ResultRow): void => {
        const focused = document.activeElement;
        if (focused instanceof HTMLElement && focused.closest('[role="dialog"]') === null) opener.current = focused;
        setCurrent({ kind, id: row.id });
      };
    return {
      images: opensAs("images"),
      prices: opensAs("prices"),
      history: opensAs("history"),
      entry: opensAs("entry"),
    };
  }, []);
  const close = useCallback((): void => {
    setCurrent(null);
    if (opener.current?.isConnected === true) opener.current.focus({ preventScroll: true });
    else focusGrid(panel.current);
  }, [panel]);

  const openId = current?.id ?? null;
  const row = useMemo(() => (openId === null ? undefined : all.find(({ id }) => id === openId)) ?? null, [all, openId]);
  const index = row === null ? -1 : shown.indexOf(row);
  const goTo = (place: number): (() => void) | undefined => {
    const other = index < 0 ? undefined : shown[place];
    if (!other || !current) return undefined;
    return () => {
      setCurrent({ kind: current.kind, id: other.id });
      onActivate(other.id);
    };
  };
  const dialogOf = (kind: Kind): RowDialog => {
    const isOpen = row !== null && current?.kind === kind;
    return {
      row: isOpen ? row : null,
      isOpen,
      open: opening[kind],
      close,
      onPrevious: isOpen ? goTo(index - 1) : undefined,
      onNext: isOpen ? goTo(index + 1) : undefined,
    };
  };
  return {
    images: dialogOf("images"),
    prices: dialogOf("prices"),
    history: dialogOf("history"),
    entry: dialogOf("entry"),
  };
}

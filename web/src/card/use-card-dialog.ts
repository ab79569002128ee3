import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TabName } from "../place/place.ts";
import { closeCard, openCard, usePlace } from "../place/place-store.ts";
import type { RowsSnapshot } from "../run/rows-store.ts";

/** What the card view shows first: large photos, the market, the history, or the form for a card entered by hand. */
export type CardPart = "photos" | "market" | "history" | "entry";

/** The part of a row's card that was asked for. */
type AskedPart = { id: string; part: CardPart | null };

export type CardDialog = {
  /** The row shown; null if closed. */
  row: ResultRow | null;
  part: CardPart | null;
  /** The row's position among the rows shown, from 1; null if the filter hides it. */
  position: number | null;
  count: number;
  open: (row: ResultRow, part?: CardPart | null) => void;
  close: () => void;
  /** Shows the previous row of the table; undefined if there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

type CardDialogOptions = {
  /** The tab of the table. Its place keeps the open card. */
  tab: TabName;
  /** All rows. An open row stays even if a filter hides it. */
  all: RowsSnapshot;
  /** The rows of the table, filtered and sorted. */
  shown: RowsSnapshot;
  onActivate: (id: string) => void;
  /** Called after closing if the element that opened the card is gone, or belongs to another row by now. */
  onFocusLost: () => void;
};

/**
 * Which row's card is open. Closing returns the focus to the element that opened it. If an action takes the open row out of
 * the filter, the neighbors are those of its last position.
 */
export function useCardDialog({ tab, all, shown, onActivate, onFocusLost }: CardDialogOptions): CardDialog {
  const place = usePlace();
  const openId = (place.tab === tab ? place.spots[tab].card : null) ?? null;
  const [asked, setAsked] = useState<AskedPart | null>(null);
  const part = asked?.id === openId ? asked.part : null;
  const opener = useRef<{ element: HTMLElement; rowId: string } | null>(null);
  const [lastIndex, setLastIndex] = useState(0);

  const open = useCallback(
    (row: ResultRow, part: CardPart | null = null): void => {
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && focused.closest('[role="dialog"]') === null)
        opener.current = { element: focused, rowId: row.id };
      setAsked({ id: row.id, part });
      openCard(tab, row.id);
      onActivate(row.id);
    },
    [tab, onActivate],
  );
  const restoreFocus = useCallback(
    (closedId: string | null): void => {
      const { element, rowId } = opener.current ?? {};
      if (element?.isConnected === true && rowId === closedId) element.focus({ preventScroll: true });
      else onFocusLost();
    },
    [onFocusLost],
  );
  const close = useCallback((): void => {
    closeCard(tab);
    restoreFocus(openId);
  }, [tab, openId, restoreFocus]);
  // Back closes the card, too.
  const lastOpen = useRef<string | null>(null);
  useEffect(() => {
    if (lastOpen.current !== null && openId === null && place.tab === tab && document.activeElement === document.body)
      restoreFocus(lastOpen.current);
    lastOpen.current = openId;
  }, [openId, place.tab, tab, restoreFocus]);

  const row = useMemo(() => (openId === null ? undefined : all.find(({ id }) => id === openId)) ?? null, [all, openId]);
  const index = row === null ? -1 : shown.indexOf(row);
  if (index >= 0 && index !== lastIndex) setLastIndex(index);
  const stepTo = (place: number): (() => void) | undefined => {
    const other = shown[place];
    if (row === null || !other) return undefined;
    return () => open(other, part === "entry" ? null : part);
  };
  return {
    row,
    part,
    position: index < 0 ? null : index + 1,
    count: shown.length,
    open,
    close,
    onPrevious: stepTo((index < 0 ? lastIndex : index) - 1),
    onNext: stepTo(index < 0 ? lastIndex : index + 1),
  };
}

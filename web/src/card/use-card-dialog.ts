import type { OfferRule } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ReviewReason } from "@slabdesk/contract/review/reasons.ts";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TabName } from "../place/place.ts";
import { closeCard, openCard, usePlace } from "../place/place-store.ts";
import type { RowsSnapshot } from "../run/rows-store.ts";

/** What the card view shows first: large photos, the market, the history, or the form for a card entered by hand. */
type CardPart = "photos" | "market" | "history" | "entry";

export type CardDialog = ReturnType<typeof useCardDialog>;

/** What the surroundings of a card view can do with its row. */
export type CardActions = {
  isRunning: boolean;
  onRetry: (row: ResultRow) => void;
  /** Corrects the number in the table. */
  onEdit: (row: ResultRow) => void;
  onSwap: (row: ResultRow) => void;
  /** Rows with a swap in progress. */
  swapping: ReadonlySet<string>;
  reasonsOf: (row: ResultRow) => readonly ReviewReason[];
  /** Marks a row reviewed, or clears the mark. */
  onMarkReviewed: (row: ResultRow) => void;
  /** Rows whose price Get Price is fetching. */
  fetching: ReadonlySet<string>;
  /** Null if no price source is on. */
  onGetPrice: ((row: ResultRow) => void) | null;
  offerRule: OfferRule | null;
  onEditOffers: (() => void) | null;
  /** Handles a letter key of the table for this row; false if it does nothing. */
  onRowKey: (key: string, row: ResultRow) => boolean;
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

/** Which row's card is open. A row that leaves the filter keeps the neighbors of its last position. */
export function useCardDialog({ tab, all, shown, onActivate, onFocusLost }: CardDialogOptions) {
  const place = usePlace();
  const openId = (place.tab === tab ? place.spots[tab].card : null) ?? null;
  const [asked, setAsked] = useState<{ id: string; part: CardPart | null } | null>(null);
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
  const restoreFocus = (closedId: string | null): void => {
    const { element, rowId } = opener.current ?? {};
    if (element?.isConnected === true && rowId === closedId) element.focus({ preventScroll: true });
    else onFocusLost();
  };
  const close = (): void => {
    closeCard(tab);
    restoreFocus(openId);
  };
  const lastOpenId = useRef<string | null>(null);
  useEffect(() => {
    if (openId !== null) lastOpenId.current = openId;
  }, [openId]);
  const onClosed = (): void => {
    const focused = document.activeElement;
    const isLost = focused === document.body || focused?.closest("[data-card]");
    if (isLost && place.tab === tab) restoreFocus(lastOpenId.current);
  };

  const row = useMemo(() => (openId === null ? undefined : all.find(({ id }) => id === openId)) ?? null, [all, openId]);
  const index = row === null ? -1 : shown.indexOf(row);
  if (index >= 0 && index !== lastIndex) setLastIndex(index);
  const stepTo = (place: number): (() => void) | undefined => {
    const other = shown[place];
    if (row === null || !other) return undefined;
    return () => open(other, part === "entry" ? null : part);
  };
  return {
    /** The row shown; null if closed. */
    row,
    part,
    /** The row's position among the rows shown, from 1; null if the filter hides it. */
    position: index < 0 ? null : index + 1,
    count: shown.length,
    open,
    close,
    /** Called when the panel has slid away, also after Back. Returns the focus if nothing else has it. */
    onClosed,
    /** Shows the previous row of the table; undefined if there is none. */
    onPrevious: stepTo((index < 0 ? lastIndex : index) - 1),
    onNext: stepTo(index < 0 ? lastIndex : index + 1),
  };
}

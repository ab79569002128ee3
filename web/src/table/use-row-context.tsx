import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { canEdit, canEnter, canRetry, isByHand, isFound } from "@slabdesk/contract/review/row-state.ts";
import { type RefObject, useCallback, useMemo } from "react";
import type { RowContext } from "./row/row-context.ts";
import { copyCerts } from "./row/copy-certs.ts";
import type { RowSelection } from "./selection/use-selection.ts";
import { useSwap } from "../card/photos/use-swap.ts";
import { useCardDialog } from "../card/use-card-dialog.ts";
import { useReviewed } from "./review/use-reviewed.ts";
import { useReviewContext } from "./review/use-review-context.ts";
import { useTablePrices } from "./prices/use-table-prices.tsx";
import type { TabName } from "../place/place.ts";
import type { RowsStore } from "../run/rows-store.ts";
import { focusGrid, useRowRepairs } from "./use-row-repairs.tsx";
import type { TableRows } from "./view/use-table-rows.ts";
import type { TableControl } from "./view/use-table-control.ts";
import { lazyPart, OnceOpen } from "../ui/lazy-part.tsx";

const CardView = lazyPart(async () => (await import("../card/CardView.tsx")).CardView);

type RowContextOptions = Pick<RowContext, "lookups" | "describeError"> & {
  tab: TabName;
  selection: RowSelection;
  store: RowsStore;
  table: TableRows;
  control: TableControl;
  panel: RefObject<HTMLElement | null>;
  session: ScanSession | null;
};

/**
 * All actions on a single row of a table. `context` is what the rows need, `editor` the form of the row being edited,
 * `overlays` the card view and the dialogs. `onRowKey` handles a letter key for the active row; it returns false if the key
 * does nothing.
 */
export function useRowContext(options: RowContextOptions) {
  const { store, table, control, panel, session, lookups, describeError, selection } = options;
  const { all, rows: shown, reasonsOf, bringIntoView } = table;
  const { select: onSelect } = selection;
  const isRunning = session?.status === "processing" && !session.isPartial;
  const focusTable = useCallback(() => focusGrid(panel.current), [panel]);
  const card = useCardDialog({
    tab: options.tab,
    all,
    shown,
    onActivate: control.setActiveId,
    onFocusLost: focusTable,
  });
  const { open: onOpen, close } = card;
  const { swap: onSwap, swapping } = useSwap();
  const prices = useTablePrices({ all, session, onOpen });
  const { onEdit, onRetry, editor } = useRowRepairs(control, shown, panel);
  const reviewed = useReviewed(store, bringIntoView);
  const review = useReviewContext({
    isOn: control.filter === "needs_review",
    reasonsOf,
    reviewed,
    onEdit,
    onRetry,
    onOpen,
    prices: prices.context,
    onLeave: useCallback(() => {
      if (panel.current?.contains(document.activeElement)) focusGrid(panel.current);
    }, [panel]),
  });
  const repairs = useMemo(() => ({ onEdit, onRetry, onOpen }), [onEdit, onRetry, onOpen]);
  const cells = useMemo(() => ({ lookups, describeError, onSelect }), [lookups, describeError, onSelect]);
  const context = useMemo(
    (): RowContext => ({ isRunning, onSwap, prices: prices.context, review, ...repairs, ...cells }),
    [isRunning, onSwap, prices.context, review, repairs, cells],
  );
  const editNumber = (row: ResultRow): void => {
    if (card.row !== null) close();
    onEdit(row);
  };
  const onRowKey = (key: string, row: ResultRow): boolean => {
    const deeds: Readonly<Record<string, (() => void) | false | null | undefined>> = {
      enter: () => onOpen(row),
      " ": () => onOpen(row, "photos"),
      p: isFound(row) && (() => onOpen(row, "market")),
      s: () => onSwap(row),
      w: () => onOpen(row, "history"),
      c: () => void copyCerts([row]),
      r: (canRetry(row) || isByHand(row)) && (() => onRetry(row)),
      e: canEdit(row) && (() => editNumber(row)),
      h: canEnter(row) && (() => onOpen(row, "entry")),
      a: review.actionOf(row)?.run,
      l: (row.reviewedAt !== null || reasonsOf(row).length > 0) && (() => review.onMarkReviewed(row)),
      x: () => onSelect(row.id, false),
    };
    const deed = deeds[key.toLowerCase()];
    if (!deed) return false;
    deed();
    return true;
  };
  const overlays = (
    <>
      {prices.overlays}
      <OnceOpen isOpen={card.row !== null}>
        <CardView
          dialog={card}
          shown={shown}
          actions={{
            isRunning,
            onRetry,
            onEdit: editNumber,
            swap: onSwap,
            swapping,
            reasonsOf,
            onMarkReviewed: review.onMarkReviewed,
            fetching: prices.context.fetching,
            onGetPrice: prices.context.onGetPrice,
            offerRule: prices.context.offerRule,
            onEditOffers: prices.editOffers,
            onRowKey,
          }}
        />
      </OnceOpen>
    </>
  );
  const { editOffers, savedOffers } = prices;
  return { context, reviewed, editOffers, savedOffers, editor, onRowKey, overlays };
}
